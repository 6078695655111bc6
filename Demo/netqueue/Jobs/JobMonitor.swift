import Dashboard
import Foundation
import NetworkQueueKit

/// The queue's delegate: keeps what the dashboard shows beside the progress, and what the report lists.
final class JobMonitor: NetworkQueueDelegate, Sendable {
    private struct State {
        var active: [RequestOperation.ID: ActiveItem] = [:]
        var meters: [RequestOperation.ID: SpeedMeter] = [:]
        var record = JobRecord()

        mutating func forget(_ id: RequestOperation.ID) {
            active[id] = nil
            meters[id] = nil
        }
    }

    private let display: any ProgressDisplay
    private let listeners: [any JobListener]
    private let willStop: @Sendable () -> Void
    private let state = Locked(State())

    /// Creates a monitor.
    ///
    /// - Parameter willStop: called before a failure cancels the rest.
    init(display: any ProgressDisplay, listeners: [any JobListener], willStop: @escaping @Sendable () -> Void) {
        self.display = display
        self.listeners = listeners
        self.willStop = willStop
    }

    /// The transfers under way, the oldest first.
    var items: [ActiveItem] {
        state.withLock { state in
            let now = ContinuousClock.now
            return state.active.keys.sorted().compactMap { id in
                guard var item = state.active[id] else { return nil }
                item.bytesPerSecond = state.meters[id, default: SpeedMeter()].rate(bytes: item.transferred, now: now)
                return item
            }
        }
    }

    /// What has come of the transfers so far.
    var record: JobRecord { state.withLock { $0.record } }

    /// Follows the bytes of an operation that has not started: of one that runs, the first would have gone by.
    func follow(_ operation: RequestOperation) {
        let id = operation.id
        let note: RequestOperation.ProgressHandler = { [weak self] _, bytes, total in
            self?.state.withLock { state in
                state.active[id]?.remark = nil
                state.active[id]?.transferred = bytes
                state.active[id]?.expected = total
            }
        }
        if operation.request.body == nil {
            operation.downloadProgressHandler = note
        } else {
            operation.uploadProgressHandler = note
        }
    }

    func networkQueue(_ queue: NetworkQueue, didStart operation: RequestOperation) {
        let item = ActiveItem(name: operation.request.tag ?? "", expected: operation.request.expectedDownloadSize)
        state.withLock { $0.active[operation.id] = item }
        for listener in listeners { listener.didStart(operation) }
    }

    func networkQueue(
        _ queue: NetworkQueue, didReceiveHeaders head: ResponseHead, for operation: RequestOperation
    ) {
        for listener in listeners { listener.didReceiveHead(head, of: operation) }
    }

    func networkQueue(
        _ queue: NetworkQueue, willRetry operation: RequestOperation, after delay: Duration, because error: NetworkError
    ) {
        let failure = JobFailure(source: operation.request.tag ?? "", error)
        let remark = "\(failure.reason); again in \(TimeText.elapsed(delay))"
        state.withLock { $0.active[operation.id]?.remark = remark }
        if display.tellsOfRetries {
            display.log("\(failure.source): \(remark)".withoutControls().fitting(.current))
        }
        for listener in listeners {
            listener.willRetry(operation, after: delay, because: failure, attempts: error.attempts)
        }
    }

    func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation) {
        let wasCurrent = Self.wasCurrent(operation)
        state.withLock { state in
            state.forget(operation.id)
            if wasCurrent { state.record.currentCount += 1 }
        }
        for listener in listeners { listener.didFinish(operation, wasCurrent: wasCurrent) }
    }

    /// Whether the file was there and is what the server has: without an attempt, with a 304, or where it turned out by the response,
    /// of whose content nothing was taken.
    private static func wasCurrent(_ operation: RequestOperation) -> Bool {
        if operation.attempts == 0 { return true }
        guard let head = operation.responseHead else { return false }
        if head.statusCode == 304 { return true }
        return head.statusCode == 200 && operation.fileURL != nil && head.expectedContentLength ?? 0 > 0
            && operation.metrics?.bytesReceived == 0
    }

    func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError) {
        let name = operation.request.tag ?? ""
        let isFull = [.ENOSPC, .EDQUOT].contains((error.underlying as? POSIXError)?.code)
        let failure = error.isCancellation ? nil : JobFailure(source: name, error)
        state.withLock { state in
            state.forget(operation.id)
            state.record.unfinished.insert(name)
            guard let failure else { return }
            if isFull { state.record.isDiskFull = true } else { state.record.failures.append(failure) }
        }
        for listener in listeners { listener.didFail(operation, failure) }
        if isFull || failure != nil && queue.cancelsAllOnFailure { willStop() }
        if isFull {
            // All others would fail of the same, one after the other.
            queue.cancelAll()
        } else if let failure {
            display.log(failure.line)
        }
    }
}
