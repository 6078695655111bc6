import Foundation
import NetworkQueueKit

/// The servers that the user has named: those of the URLs on the command line and in the user's own lists. A list that
/// came from a server adds none.
final class TrustedOrigins: Sendable {
    private let origins = Locked<Set<Origin>>([])

    func insert(_ url: URL) {
        guard let origin = Origin(url) else { return }
        origins.withLock { _ = $0.insert(origin) }
    }

    func contains(_ url: URL) -> Bool {
        guard let origin = Origin(url) else { return false }
        return origins.withLock { $0.contains(origin) }
    }
}

/// Sends header fields and the certificate of the user to trusted servers only, wherever redirects and mirrors lead.
struct WithholdingTransport: Transport {
    let origins: TrustedOrigins
    /// The fields that other servers do not get.
    let headers: HTTPHeaders
    let trusted: any Transport
    /// Has no client certificate.
    let other: any Transport

    var decodesContent: Bool { trusted.decodesContent }

    func start(_ exchange: HTTPExchange, receiver: any ExchangeReceiver) -> any ExchangeHandle {
        if origins.contains(exchange.url) { return trusted.start(exchange, receiver: receiver) }
        var exchange = exchange
        // A field with another value comes from the list, whose entry then had no such field of the user.
        for name in Set(headers.map { $0.name.lowercased() })
        where exchange.headers.values(for: name) == headers.values(for: name) {
            exchange.headers.removeAll(named: name)
        }
        return other.start(exchange, receiver: receiver)
    }
}
