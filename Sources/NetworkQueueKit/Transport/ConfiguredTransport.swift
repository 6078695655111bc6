import Foundation

/// A transport of the library's own.
protocol ConfiguredTransport: Transport {
    var configuration: TransportConfiguration { get }
    /// Whether the origin of a URL has been seen to send content after the head of a response to HEAD: then each HEAD costs a connection,
    /// and what comes late may spoil what is sent next.
    func sendsContentAfterHead(_ url: URL) -> Bool
}

extension ConfiguredTransport {
    func sendsContentAfterHead(_ url: URL) -> Bool { false }
}
