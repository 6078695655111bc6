import Foundation

/// Decides outside the batch's lock whether a HEAD may be sent.
extension NetworkQueue {
    func askForSizes() {
        while true {
            let (next, isDone) = loop.access { ($0.nextGroup(), $0.isSizingDone) }
            guard let (index, operations) = next else {
                if isDone { modify { $0.endSizingIfDone(now: $1, into: &$2) } }
                return
            }
            let isWanted = operations.contains { mayAsk(for: $0.request) }
            modify { batch, now, effects in
                batch.ask(index, operations, isWanted: isWanted, now: now, into: &effects)
            }
        }
    }

    /// Whether a HEAD may be sent for a request. May query the file system.
    private func mayAsk(for request: NetworkRequest) -> Bool {
        // A request that fails before it is sent needs no size. If a file may already have the expected checksum,
        // perhaps no request is needed.
        request.obstacle == nil && !request.mayNeedNoRequest && !headRefusals.contain(request.url)
    }

    /// Cancels the probes to where no more HEADs may be sent.
    func cancelRefusedProbes() {
        let probes = loop.access { $0.plan?.probes ?? [:] }
        for probe in probes.values where headRefusals.contain(probe.request.url) { probe.cancel() }
    }
}

extension NetworkRequest {
    /// Whether an existing file may have the checksum that the request expects. The file is read later, when the
    /// operation has its slot.
    fileprivate var mayNeedNoRequest: Bool {
        guard expectedChecksum != nil, mayKeepFile, !usesSuggestedFileName,
            case .file(let url, onConflict: _, resumes: _) = destination, let names = try? PartNames(url)
        else { return false }
        return ExistingFile(names) != nil
    }
}

/// The places to which a queue sends no HEADs, because earlier ones did harm or were left unanswered.
///
/// | A HEAD | From then on no HEADs to |
/// |---|---|
/// | lost its fresh connection | that path, for ten minutes; after the second loss the origin |
/// | was followed by content | that path, for ten minutes; after the third path the origin |
/// | was unanswered while the transfers waited | the origin |
final class HeadRefusals: Sendable {
    private let silent: RememberedOrigins
    private let losses: RememberedOrigins
    private let lossyOrigins: RememberedOrigins
    private let transport: (any ConfiguredTransport)?

    init(_ transport: any Transport, timekeeper: any Timekeeper) {
        let now = { @Sendable in timekeeper.now }
        silent = RememberedOrigins(lifetime: nil, now: now)
        losses = RememberedOrigins(threshold: .max, now: now)
        lossyOrigins = RememberedOrigins(now: now)
        self.transport = transport as? any ConfiguredTransport
    }

    /// Whether no HEAD may be sent to `url`.
    func contain(_ url: URL) -> Bool {
        silent.contains(url) || losses.contains(url) || lossyOrigins.contains(url)
            || transport?.sendsContentAfterHead(url) == true
    }

    /// Notes that a HEAD to `url` was unanswered while the transfers waited.
    func noteSilence(_ url: URL) { silent.insert(url) }

    /// Notes that a fresh connection was lost on a HEAD. The second time, refuses the origin and returns `true`.
    func noteLoss(_ url: URL) -> Bool {
        let isSecond = losses.containsOrigin(of: url)
        losses.insert(url)
        if isSecond { lossyOrigins.insert(url) }
        return isSecond
    }
}
