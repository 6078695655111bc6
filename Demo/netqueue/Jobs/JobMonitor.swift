import Dashboard
import NetworkQueueKit

/// The queue's delegate: keeps what the dashboard shows beside the progress, and what the report lists.
final class JobMonitor: NetworkQueueDelegate, Sendable {
    private struct State {
        var active: [RequestOperation.ID: ActiveItem] = [:]
        var failures: [JobFailure] = []
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

    /// What has failed so far, in the order in which it did.
    var failures: [JobFailure] { state.withLock { $0.failures } }

    func networkQueue(_ queue: NetworkQueue, didStart operation: RequestOperation) {
        let id = operation.id
        let item = ActiveItem(name: operation.request.tag ?? "", expected: operation.request.expectedDownloadSize)
        state.withLock { $0.active[id] = item }
        operation.downloadProgressHandler = { [weak self] _, bytes, total in
            self?.state.withLock { state in
                state.active[id]?.transferred = bytes
                state.active[id]?.expected = total
            }
        }
    }

    func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation) {
        state.withLock { $0.active[operation.id] = nil }
    }

    func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError) {
        let failure = JobFailure(
            source: error.url?.absoluteString ?? operation.request.tag ?? "", reason: error.description)
        state.withLock { state in
            state.active[operation.id] = nil
            if !error.isCancellation { state.failures.append(failure) }
        }
        if !error.isCancellation { display.log(failure.logLine) }
    }
}
