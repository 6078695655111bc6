import Foundation

/// What the sizing of a batch asks outside its lock: whether a HEAD may be sent.
extension NetworkQueue {
    func askForSizes() {
        while let (index, operations) = loop.access({ $0.nextGroup() }) {
            let isWanted = operations.contains { mayAsk(for: $0.request) }
            modify { batch, effects in batch.ask(index, isWanted: isWanted, now: timekeeper.now, into: &effects) }
        }
        modify { batch, effects in batch.endSizingIfDone(now: timekeeper.now, into: &effects) }
    }

    /// Whether a HEAD may be sent for a request. It may ask the file system.
    private func mayAsk(for request: NetworkRequest) -> Bool {
        // One that fails before it is sent needs no size, and one whose file may have its checksum already may need no
        // request.
        request.obstacle == nil && !request.mayNeedNoRequest && !headRefusals.contain(request.url)
    }

    /// Calls off the probes of origins that are sent no HEADs any more.
    func cancelRefusedProbes() {
        let probes = loop.access { $0.withPlan { $0.probes } } ?? [:]
        for probe in probes.values where headRefusals.contain(probe.request.url) { probe.cancel() }
    }
}

extension NetworkRequest {
    /// Whether a file that is there may have the checksum that the request expects. It is read when the operation has
    /// its slot.
    fileprivate var mayNeedNoRequest: Bool {
        guard expectedChecksum != nil, mayKeepFile, case .file(let url, onConflict: _, resumes: _) = destination,
            let names = try? PartNames(url)
        else { return false }
        return ExistingFile(names) != nil
    }
}

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
