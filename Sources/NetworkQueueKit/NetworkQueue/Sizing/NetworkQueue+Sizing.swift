import Foundation

/// Decides outside the batch's lock whether a HEAD may be sent.
extension NetworkQueue {
    func askForSizes() {
        while true {
            let (next, isDone) = loop.access { ($0.nextGroup(), $0.isSizingDone) }
            guard let (index, operations) = next else {
                if isDone { modify { $0.endSizingIfDone(now: timekeeper.now, into: &$1) } }
                return
            }
            let isWanted = operations.contains { mayAsk(for: $0.request) }
            modify { batch, effects in batch.ask(index, isWanted: isWanted, now: timekeeper.now, into: &effects) }
        }
    }

    /// Whether a HEAD may be sent for a request. May query the file system.
    private func mayAsk(for request: NetworkRequest) -> Bool {
        // A request that fails before it is sent needs no size. If a file may already have the expected checksum,
        // perhaps no request is needed.
        request.obstacle == nil && !request.mayNeedNoRequest && !headRefusals.contain(request.url)
    }

    /// Cancels the probes to origins that get no more HEADs.
    func cancelRefusedProbes() {
        let probes = loop.access { $0.withPlan { $0.probes } } ?? [:]
        for probe in probes.values where headRefusals.contain(probe.request.url) { probe.cancel() }
    }
}

extension NetworkRequest {
    /// Whether an existing file may have the checksum that the request expects. The file is read later, when the
    /// operation has its slot.
    fileprivate var mayNeedNoRequest: Bool {
        guard expectedChecksum != nil, mayKeepFile, case .file(let url, onConflict: _, resumes: _) = destination,
            let names = try? PartNames(url)
        else { return false }
        return ExistingFile(names) != nil
    }
}

/// The origins to which a queue sends no more HEADs, because an earlier one did harm or was left unanswered.
final class HeadRefusals: Sendable {
    private let origins = RememberedOrigins()
    /// The origins that have dropped a fresh connection on a HEAD once.
    private let losses = RememberedOrigins()
    private let transport: (any ConfiguredTransport)?

    init(_ transport: any Transport) {
        self.transport = transport as? any ConfiguredTransport
    }

    /// Whether the origin of `url` gets no HEADs.
    func contain(_ url: URL) -> Bool {
        origins.contains(url) || transport?.sendsContentAfterHead(url) == true
    }

    /// Stops sending HEADs to the origin of `url`.
    func add(_ url: URL) { origins.insert(url) }

    /// Notes that a fresh connection was dropped on a HEAD. The second time, refuses the origin and returns `true`.
    func noteLoss(_ url: URL) -> Bool {
        let isSecond = losses.contains(url)
        if isSecond { add(url) } else { losses.insert(url) }
        return isSecond
    }
}
