import Dashboard
import Foundation
import NetworkQueueKit

/// The queue's delegate: keeps what the dashboard shows beside the progress, and what the report lists.
final class JobMonitor: NetworkQueueDelegate, Sendable {
    private struct State {
        var active: [RequestOperation.ID: ActiveItem] = [:]
        var record = JobRecord()
    }

    private let display: any ProgressDisplay
    private let state = Locked(State())

    init(display: any ProgressDisplay) {
        self.display = display
    }

    /// The transfers under way, the oldest first.
    var items: [ActiveItem] {
        state.withLock { $0.active }.sorted { $0.key < $1.key }.map(\.value)
    }

    /// What has come of the downloads so far.
    var record: JobRecord { state.withLock { $0.record } }

    func networkQueue(_ queue: NetworkQueue, didStart operation: RequestOperation) {
        let item = ActiveItem(name: operation.request.tag ?? "", expected: operation.request.expectedDownloadSize)
        state.withLock { $0.active[operation.id] = item }
    }

    /// Follows the bytes of an operation that has not started: of one that runs, the first would have gone by.
    func follow(_ operation: RequestOperation) {
        let id = operation.id
        operation.downloadProgressHandler = { [weak self] _, bytes, total in
            self?.state.withLock { state in
                state.active[id]?.remark = nil
                state.active[id]?.transferred = bytes
                state.active[id]?.expected = total
            }
        }
    }

    func networkQueue(
        _ queue: NetworkQueue, willRetry operation: RequestOperation, after delay: Duration, because error: NetworkError
    ) {
        let failure = JobFailure(source: operation.request.tag ?? "", error)
        let remark = "\(failure.reason); again in \(TimeText.elapsed(delay))"
        state.withLock { $0.active[operation.id]?.remark = remark }
        display.note("\(failure.source): \(remark)")
    }

    func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation) {
        // Without an attempt, or with a 304, the file was there and is what the server has.
        let wasCurrent = operation.attempts == 0 || operation.responseHead?.statusCode == 304
        state.withLock { state in
            state.active[operation.id] = nil
            if wasCurrent { state.record.currentCount += 1 }
        }
    }

    func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError) {
        let name = operation.request.tag ?? ""
        let isFull = [.ENOSPC, .EDQUOT].contains((error.underlying as? POSIXError)?.code)
        let failure = JobFailure(source: name, error)
        let isFirstOfItsKind = state.withLock { state in
            state.active[operation.id] = nil
            state.record.unfinished.insert(name)
            guard !error.isCancellation else { return false }
            guard isFull else {
                state.record.failures.append(failure)
                return true
            }
            defer { state.record.isDiskFull = true }
            return !state.record.isDiskFull
        }
        if isFull {
            // All others would fail of the same, one after the other.
            queue.cancelAll()
        } else if isFirstOfItsKind {
            display.log(failure.line)
        }
    }
}
