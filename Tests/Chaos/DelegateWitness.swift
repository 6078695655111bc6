import Foundation
import NetworkQueueKit

/// The delegate of a queue: checks what it is told, and acts inside the calls.
final class DelegateWitness: NetworkQueueDelegate, Sendable {
    private struct State {
        var isInCall = false
        var fraction = 0.0
        var openResets = 0
    }

    private let stories: Stories
    let plans: PlanWitness
    private let faults: Faults
    private let state = Guarded(State())
    /// Acts inside a callback.
    let act = Guarded<(@Sendable () -> Void)?>(nil)

    init(_ stories: Stories, _ plans: PlanWitness, _ faults: Faults) {
        (self.stories, self.plans, self.faults) = (stories, plans, faults)
    }

    func willReset() { state.withLock { $0.openResets += 1 } }

    func didReset() {
        state.withLock { state in
            state.openResets -= 1
            state.fraction = 0
        }
    }

    private func note(_ event: NetworkQueue.Event) {
        call { stories.note(event) }
    }

    private func call(_ body: () -> Void) {
        let overlaps = state.withLock { state in
            defer { state.isInCall = true }
            return state.isInCall
        }
        faults.expect(!overlaps, "two calls of a delegate at a time")
        body()
        act.withLock { $0 }?()
        state.withLock { $0.isInCall = false }
    }

    func networkQueue(_ queue: NetworkQueue, shouldStart plan: NetworkQueue.Plan) -> Bool {
        var starts = true
        call { starts = plans.starts(plan) }
        return starts
    }

    func networkQueue(_ queue: NetworkQueue, didStart operation: RequestOperation) { note(.didStart(operation)) }

    func networkQueue(_ queue: NetworkQueue, didReceiveHeaders head: ResponseHead, for operation: RequestOperation) {
        note(.didReceiveHeaders(operation, head: head))
    }

    func networkQueue(
        _ queue: NetworkQueue, willRedirect operation: RequestOperation, to request: URLRequest
    ) -> URLRequest? {
        note(.willRedirect(operation, to: request))
        return operation.id.hashValue.isMultiple(of: 8) ? nil : request
    }

    func networkQueue(
        _ queue: NetworkQueue, didReceive challenge: AuthenticationChallenge, for operation: RequestOperation,
        answer: @escaping @Sendable (URLCredential?) -> Void
    ) {
        note(.didReceiveChallenge(operation, challenge: challenge))
        switch challenge.realm {
        case "0": break
        case "1": answer(nil)
        case "2": answer(URLCredential(user: "u", password: "p", persistence: .none))
        default:
            DispatchQueue.global().async { answer(URLCredential(user: "u", password: "p", persistence: .none)) }
        }
    }

    func networkQueue(
        _ queue: NetworkQueue, willRetry operation: RequestOperation, after delay: Duration, because error: NetworkError
    ) {
        note(.willRetry(operation, after: delay, because: error))
    }

    func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation) { note(.didFinish(operation)) }

    func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError) {
        note(.didFail(operation, error: error))
    }

    func networkQueue(_ queue: NetworkQueue, didUpdate progress: NetworkQueue.Progress) {
        call {
            let former = state.withLock { state in
                defer { state.fraction = progress.fractionCompleted }
                return state.openResets > 0 ? 0 : state.fraction
            }
            faults.expect(progress.fractionCompleted <= 1, "a fraction of \(progress.fractionCompleted)")
            faults.expect(
                progress.fractionCompleted >= former,
                "the fraction fell from \(former) to \(progress.fractionCompleted)")
        }
    }

    func networkQueue(
        _ queue: NetworkQueue, groupDidFinish group: NetworkQueue.Group, summary: NetworkQueue.Summary
    ) {
        call {
            let counts = summary.counts
            faults.expect(
                counts.total > 0 && counts.total == counts.finished + counts.failed + counts.cancelled,
                "a summary of a group counts \(counts)")
        }
    }

    func networkQueueDidFinish(_ queue: NetworkQueue, summary: NetworkQueue.Summary) {
        call {
            state.withLock { $0.fraction = 0 }
            let counts = summary.counts
            faults.expect(
                counts.total == counts.finished + counts.failed + counts.cancelled, "a summary counts \(counts)")
        }
    }
}
