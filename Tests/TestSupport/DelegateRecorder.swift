import Dispatch
import Foundation
import NetworkQueueKit

/// A delegate that writes down what it is told, and can be waited for.
///
/// `onEvent` is called for each event, inside the callback, so that a test can act from there.
package final class DelegateRecorder: NetworkQueueDelegate, Sendable {
    private struct State {
        var events: [NetworkQueue.Event] = []
        var isInCallback = false
        var hasOverlapped = false
        var waiters:
            [(isMet: @Sendable ([NetworkQueue.Event]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Guarded(State())
    private let onEvent: @Sendable (NetworkQueue, NetworkQueue.Event) -> Void
    private let redirect: @Sendable (URLRequest) -> URLRequest?
    private let credential: @Sendable (AuthenticationChallenge) -> URLCredential?

    /// - Parameters:
    ///   - redirect: what becomes of a redirect. Default: it is followed.
    ///   - credential: the answer to a challenge, given before `onEvent` is called. Default: no credential.
    package init(
        redirect: @escaping @Sendable (URLRequest) -> URLRequest? = { $0 },
        credential: @escaping @Sendable (AuthenticationChallenge) -> URLCredential? = { _ in nil },
        onEvent: @escaping @Sendable (NetworkQueue, NetworkQueue.Event) -> Void = { _, _ in }
    ) {
        self.redirect = redirect
        self.credential = credential
        self.onEvent = onEvent
    }

    /// Everything so far, in order.
    package var events: [NetworkQueue.Event] { state.withLock { $0.events } }

    /// Whether two callbacks of different threads were ever running at a time.
    package var hasOverlapped: Bool { state.withLock { $0.hasOverlapped } }

    /// The summaries of the drains so far.
    package var summaries: [NetworkQueue.Summary] {
        events.compactMap { if case .queueDidFinish(let summary) = $0 { summary } else { nil } }
    }

    /// The ends of groups so far.
    package var groupEnds: [(group: NetworkQueue.Group, summary: NetworkQueue.Summary)] {
        events.compactMap { if case .groupDidFinish(let group, let summary) = $0 { (group, summary) } else { nil } }
    }

    /// The progress updates so far.
    package var updates: [NetworkQueue.Progress] {
        events.compactMap { if case .didUpdate(let progress) = $0 { progress } else { nil } }
    }

    /// The challenges so far.
    package var challenges: [AuthenticationChallenge] {
        events.compactMap { if case .didReceiveChallenge(_, let challenge) = $0 { challenge } else { nil } }
    }

    /// Whether the latest event is a drain.
    package var isLastDrain: Bool {
        if case .queueDidFinish = events.last { true } else { false }
    }

    /// What has been told about one operation, as words: `start`, `head 200`, `finish`, `fail cancelled`.
    package func story(of operation: RequestOperation) -> [String] {
        events.compactMap { event in
            switch event {
            case .didStart(operation): "start"
            case .didReceiveHeaders(operation, let head): "head \(head.statusCode)"
            case .willRedirect(operation, let request): "redirect \(request.url?.path() ?? "")"
            case .didReceiveChallenge(operation, let challenge): "challenge \(challenge.previousFailureCount)"
            case .willRetry(operation, _, let error): "retry \(error.code)"
            case .didFinish(operation): "finish"
            case .didFail(operation, let error): "fail \(error.code)"
            default: nil
            }
        }
    }

    /// Waits until the events so far meet a condition.
    package func wait(until isMet: @escaping @Sendable ([NetworkQueue.Event]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMetAlready = state.withLock { state in
                let isMetAlready = isMet(state.events)
                if !isMetAlready { state.waiters.append((isMet, continuation)) }
                return isMetAlready
            }
            if isMetAlready { continuation.resume() }
        }
    }

    /// Waits until the queue has reported `count` drains in all.
    package func waitForDrain(_ count: Int = 1) async {
        await wait { events in
            events.count { if case .queueDidFinish = $0 { true } else { false } } >= count
        }
    }

    private func record(_ event: NetworkQueue.Event, from queue: NetworkQueue) {
        let wasInCallback = state.withLock { state in
            defer { state.isInCallback = true }
            if state.isInCallback { state.hasOverlapped = true }
            state.events.append(event)
            return state.isInCallback
        }
        onEvent(queue, event)
        let ready = state.withLock { state in
            if !wasInCallback { state.isInCallback = false }
            let ready = state.waiters.filter { $0.isMet(state.events) }
            state.waiters.removeAll { $0.isMet(state.events) }
            return ready
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    package func networkQueue(_ queue: NetworkQueue, didStart operation: RequestOperation) {
        record(.didStart(operation), from: queue)
    }

    package func networkQueue(
        _ queue: NetworkQueue, didReceiveHeaders head: ResponseHead, for operation: RequestOperation
    ) {
        record(.didReceiveHeaders(operation, head: head), from: queue)
    }

    package func networkQueue(
        _ queue: NetworkQueue, willRedirect operation: RequestOperation, to request: URLRequest
    ) -> URLRequest? {
        record(.willRedirect(operation, to: request), from: queue)
        return redirect(request)
    }

    package func networkQueue(
        _ queue: NetworkQueue, didReceive challenge: AuthenticationChallenge, for operation: RequestOperation,
        answer: @escaping @Sendable (URLCredential?) -> Void
    ) {
        answer(credential(challenge))
        record(.didReceiveChallenge(operation, challenge: challenge), from: queue)
    }

    package func networkQueue(
        _ queue: NetworkQueue, willRetry operation: RequestOperation, after delay: Duration, because error: NetworkError
    ) {
        record(.willRetry(operation, after: delay, because: error), from: queue)
    }

    package func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation) {
        record(.didFinish(operation), from: queue)
    }

    package func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError) {
        record(.didFail(operation, error: error), from: queue)
    }

    package func networkQueue(
        _ queue: NetworkQueue, groupDidFinish group: NetworkQueue.Group, summary: NetworkQueue.Summary
    ) {
        record(.groupDidFinish(group, summary), from: queue)
    }

    package func networkQueue(_ queue: NetworkQueue, didUpdate progress: NetworkQueue.Progress) {
        record(.didUpdate(progress), from: queue)
    }

    package func networkQueueDidFinish(_ queue: NetworkQueue, summary: NetworkQueue.Summary) {
        record(.queueDidFinish(summary), from: queue)
    }
}
