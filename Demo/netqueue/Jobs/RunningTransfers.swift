import Dashboard
import NetworkQueueKit

/// The transfers of a job that have begun and not ended, for the dashboard and for the texts about their failures.
struct RunningTransfers {
    private struct Entry {
        /// The transfer to show; `nil` before it has started.
        var shown: (operation: RequestOperation, transfer: ActiveTransfer)?
        /// The head of the latest response.
        var head: ResponseHead?
        /// The part received by the latest attempt, if that failed.
        var part: ReceivedPart?
        /// The content bytes transferred by failed attempts.
        var bytes: Int64 = 0
        /// The delay before a pending retry.
        var delay: Duration?
    }

    private var entries: [RequestOperation.ID: Entry] = [:]
    /// The hosts whose waiting requests are held back.
    private var holds: [String: HostHold] = [:]
    /// The speed of all transfers.
    private var meter = SpeedMeter()

    // MARK: The dashboard

    var operations: [RequestOperation.ID: RequestOperation] { entries.compactMapValues { $0.shown?.operation } }

    /// Records the progress of the transfers; returns them, oldest first.
    mutating func items(
        _ facts: [RequestOperation.ID: (progress: OperationProgress, moved: Int64, isPaused: Bool)],
        now: ContinuousClock.Instant
    ) -> [ActiveItem] {
        for (id, fact) in facts {
            guard let isUpload = entries[id]?.shown.map({ $0.operation.request.body != nil }) else { continue }
            let content = isUpload ? fact.progress.upload : fact.progress.download
            entries[id]?.shown?.transfer.note(content, moved: fact.moved, isPaused: fact.isPaused, now: now)
        }
        return entries.keys.sorted().compactMap { entries[$0]?.shown?.transfer.item(now) }
    }

    /// The groups of the transfers, with the sum of the speeds that ``items(_:now:)`` has recorded.
    var groups: [(name: String, bytesPerSecond: Double?)] {
        let shown = entries.values.compactMap(\.shown).filter { $0.operation.request.group != nil }
        return Dictionary(grouping: shown) { ByteText($0.operation.request.group ?? "") }.map { name, members in
            let speeds = members.compactMap(\.transfer.item.bytesPerSecond)
            return (name.text, speeds.isEmpty ? nil : speeds.reduce(0, +))
        }
    }

    /// The speed of all transfers, measured like that of each.
    ///
    /// - Parameter moved: The bytes that have crossed the network; `nil` while the queue is suspended.
    mutating func bytesPerSecond(moved: Int64?, now: ContinuousClock.Instant) -> Double? {
        guard let moved else {
            meter = SpeedMeter()
            return nil
        }
        return meter.rate(bytes: moved, now: now).flatMap { $0 >= 1 ? $0 : nil }
    }

    /// Reasons that delay more than one transfer.
    mutating func remarks(now: ContinuousClock.Instant) -> [String] {
        holds = holds.filter { $0.value.end > now }
        return holds.sorted { $0.key < $1.key }.map { $0.value.text(host: $0.key, now: now) }
    }

    // MARK: Events

    mutating func start(_ operation: RequestOperation, _ transfer: ActiveTransfer) {
        entries[operation.id, default: Entry()].shown = (operation, transfer)
    }

    mutating func beginAttempt(_ id: RequestOperation.ID, now: ContinuousClock.Instant) {
        entries[id]?.shown?.transfer.goOn(now: now)
    }

    mutating func receive(_ head: ResponseHead, _ id: RequestOperation.ID) { entries[id, default: Entry()].head = head }

    mutating func endAttempt(with error: NetworkError?, _ metrics: RequestMetrics, in context: AttemptContext) {
        let id = context.operationID
        func end(_ entry: inout Entry) {
            entry.part = error == nil ? nil : entry.head.flatMap { ReceivedPart($0, bytes: metrics.bytesReceived) }
            entry.head = nil
            if error != nil { entry.bytes += metrics.contentBytes(of: context.request) }
        }
        end(&entries[id, default: Entry()])
        // Keep nothing for the size request of a waiting transfer, however it ends; a batch may have a million.
        if let entry = entries[id], entry.shown == nil, entry.part == nil, entry.bytes == 0 { entries[id] = nil }
    }

    /// Records that a transfer waits for a retry.
    mutating func wait(
        after error: NetworkError, for delay: Duration, in context: AttemptContext, now: ContinuousClock.Instant
    ) {
        // If another request's host asked for a delay, this one waits for that as well.
        let held = (context.mirror ?? context.request.url).host().flatMap { holds[$0.lowercased()] }
        let delay = max(delay, held.map { now.duration(to: $0.end) } ?? delay)
        let reason = JobFailure(source: "", error, after: entries[context.operationID]?.part).reason
        entries[context.operationID]?.shown?.transfer.wait(because: reason, for: delay, now: now)
        entries[context.operationID]?.delay = delay
    }

    /// Records that a host holds back its requests; returns a line about that, unless it is known.
    mutating func hold(
        _ host: String, for delay: Duration, in context: AttemptContext, now: ContinuousClock.Instant
    ) -> String? {
        let asked = entries[context.operationID]?.head.flatMap { RetryAfter.delay(in: $0) } ?? delay
        let hold = HostHold(end: now + delay, excess: max(.zero, asked - delay))
        let former = holds[host]
        if former.map({ $0.end < hold.end }) ?? true { holds[host] = hold }
        return former.map { $0.end >= now } == true ? nil : hold.text(host: host, now: now)
    }

    /// The part that the latest attempt received, if that failed, and the delay before the next one.
    func latest(_ id: RequestOperation.ID) -> (part: ReceivedPart?, delay: Duration?) {
        (entries[id]?.part, entries[id]?.delay)
    }

    /// Removes a transfer that has ended; returns the content bytes that failed attempts have transferred.
    mutating func end(_ operation: RequestOperation) -> Int64 { entries.removeValue(forKey: operation.id)?.bytes ?? 0 }
}

/// The hold of a host that asked the client to wait.
struct HostHold: Sendable {
    let end: ContinuousClock.Instant
    /// The time that the host asked for beyond the end of the hold.
    let excess: Duration

    /// A remark such as `example.com asks for 12 s` or `example.com asks for 1 h 0 min; retrying in 5 min 0 s`.
    func text(host: String, now: ContinuousClock.Instant) -> String {
        let rest = now.duration(to: end)
        let asked = "\(host) asks to wait \(TimeText.countdown(rest + excess))"
        return excess > .zero ? asked + "; retrying in \(TimeText.countdown(rest))" : asked
    }
}

extension RequestMetrics {
    /// The request's content bytes: for an upload those sent, without the response; otherwise those received.
    func contentBytes(of request: NetworkRequest) -> Int64 { request.body == nil ? bytesReceived : bytesSent }
}
