import Foundation
import NetworkQueueKit

/// What has been reported about one operation. It is checked at the end of the round.
final class Story: Sendable {
    enum Step: String { case start, question, headers, retry, pause, resume, finish, fail, cancel }

    private struct State {
        var steps: [Step] = []
        /// Whether the listener was there from before the operation was added.
        var isWhole = false
        /// The number of steps when a reset that began after the operation was added had returned.
        var resetCount: Int?
    }

    private let state = Guarded(State())

    func note(_ step: Step) { state.withLock { $0.steps.append(step) } }
    /// Notes that the operation was added while the listener was there. A later reset forgets it.
    func noteAdded() { state.withLock { $0.isWhole = true } }
    var isAdded: Bool { state.withLock { $0.isWhole } }
    func noteReset() { state.withLock { $0.resetCount = $0.resetCount ?? $0.steps.count } }

    /// The first fault in the order of the steps; `nil` if there is none.
    ///
    /// - Parameter isDirect: whether the listener is called directly. Otherwise events may arrive after a reset.
    func fault(isDirect: Bool) -> String? {
        let state = state.withLock { $0 }
        let steps = state.steps
        let text = steps.map(\.rawValue).joined(separator: " ")
        let ends = steps.indices.filter { [.finish, .fail, .cancel].contains(steps[$0]) }
        if ends.count > 1 { return "ends \(ends.count) times: \(text)" }
        if let end = ends.first, end != steps.count - 1 { return "has events after its end: \(text)" }
        if steps.count(where: { $0 == .start }) > 1 { return "starts twice: \(text)" }
        if let count = state.resetCount, isDirect, steps.count > count { return "has events after a reset: \(text)" }
        guard state.isWhole else { return nil }
        if state.resetCount == nil, ends.isEmpty { return "is not reported to its end: \(text)" }
        let before = steps.firstIndex(of: .start) ?? steps.endIndex
        if let early = steps[..<before].first(where: { ![.pause, .resume, .cancel].contains($0) }) {
            return "has a \(early) before its start: \(text)"
        }
        if steps.last == .finish, !steps.contains(.headers) { return "finishes without headers: \(text)" }
        let pauses = steps.filter { $0 == .pause || $0 == .resume }
        for (index, step) in pauses.enumerated() where (step == .pause) != index.isMultiple(of: 2) {
            return "is paused or resumed twice: \(text)"
        }
        return nil
    }
}

/// The stories of the operations of one queue, as one listener is told them.
final class Stories: Sendable {
    private let stories = Guarded<[RequestOperation.ID: Story]>([:])

    subscript(id: RequestOperation.ID) -> Story {
        stories.withLock { stories in
            let story = stories[id] ?? Story()
            stories[id] = story
            return story
        }
    }

    /// The stories that a reset from now on ends.
    var added: [Story] { stories.withLock { Array($0.values) }.filter(\.isAdded) }

    func note(_ event: NetworkQueue.Event) {
        switch event {
        case .didStart(let operation): self[operation.id].note(.start)
        case .didReceiveHeaders(let operation, _): self[operation.id].note(.headers)
        case .willRedirect(let operation, _), .didReceiveChallenge(let operation, _): self[operation.id].note(.question)
        case .willRetry(let operation, _, _): self[operation.id].note(.retry)
        case .didPause(let operation): self[operation.id].note(.pause)
        case .didResume(let operation): self[operation.id].note(.resume)
        case .didFinish(let operation): self[operation.id].note(.finish)
        case .didFail(let operation, let error): self[operation.id].note(error.code == .cancelled ? .cancel : .fail)
        default: break
        }
    }

    func faults(isDirect: Bool) -> [String] {
        stories.withLock { $0 }.compactMap { id, story in story.fault(isDirect: isDirect).map { "\(id) \($0)" } }
    }
}
