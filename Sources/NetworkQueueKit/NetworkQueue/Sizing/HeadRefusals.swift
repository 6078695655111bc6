import Foundation

/// The origins that a queue sends no further HEADs, since an earlier one did harm or was left unanswered.
final class HeadRefusals: Sendable {
    private let origins = RememberedOrigins()
    /// Those that have dropped a fresh connection on a HEAD once.
    private let losses = RememberedOrigins()
    private let transport: (any ConfiguredTransport)?

    init(_ transport: any Transport) {
        self.transport = transport as? any ConfiguredTransport
    }

    /// Whether the origin of `url` is sent no HEADs.
    func contain(_ url: URL) -> Bool {
        origins.contains(url) || transport?.sendsContentAfterHead(url) == true
    }

    /// Sends the origin of `url` no further HEADs.
    func add(_ url: URL) { origins.insert(url) }

    /// Notes that a fresh connection was dropped on a HEAD; the second time refuses the origin, and returns `true`.
    func noteLoss(_ url: URL) -> Bool {
        let isSecond = losses.contains(url)
        if isSecond { add(url) } else { losses.insert(url) }
        return isSecond
    }
}
