import Foundation
import NetworkQueueKit

/// What has been reported about one operation. It is checked at the end of the round.
final class Story: Sendable {
    enum Step: String { case start, question, headers, retry, pause, resume, finish, fail, cancel, bar }

    static let ends: Set<Step> = [.finish, .fail, .cancel, .bar]

    private struct State {
        var steps: [Step] = []
        /// The numbers of the start and the end in the order of all that the listener was told.
        var start, end: Int?
        /// The numbers of when the operation was added; `nil` unless the listener was there before.
        var adding: Range<Int>?
        var stage = 0
        var isWhole: Bool { adding != nil }
        /// The number of steps when a reset that began after the operation was added had returned.
        var resetCount: Int?
    }

    private let state = Guarded(State())

    func note(_ step: Step, _ number: Int) {
        state.withLock { state in
            state.steps.append(step)
            if step == .start { state.start = state.start ?? number }
            if Self.ends.contains(step) { state.end = state.end ?? number }
        }
    }

    /// Notes that the operation was added while the listener was there. A later reset forgets it.
    func noteAdded(_ adding: Range<Int>, stage: Int) { state.withLock { ($0.adding, $0.stage) = (adding, stage) } }

    func count(of steps: Set<Step>) -> Int { state.withLock { $0.steps.count { steps.contains($0) } } }
    var isAdded: Bool { state.withLock { $0.isWhole } }
    var stage: Int { state.withLock { $0.stage } }
    func noteReset() { state.withLock { $0.resetCount = $0.resetCount ?? $0.steps.count } }

    /// The first fault in the order of the steps; `nil` if there is none.
    ///
    /// - Parameter isDirect: whether the listener is called directly. Otherwise events may arrive after a reset.
    func fault(isDirect: Bool) -> String? {
        let state = state.withLock { $0 }
        let steps = state.steps
        let text = steps.map(\.rawValue).joined(separator: " ")
        let ends = steps.indices.filter { Self.ends.contains(steps[$0]) }
        if ends.count > 1 { return "ends \(ends.count) times: \(text)" }
        if let end = ends.first, end != steps.count - 1 { return "has events after its end: \(text)" }
        if steps.count(where: { $0 == .start }) > 1 { return "starts twice: \(text)" }
        if steps.last == .bar, steps.contains(.start) { return "starts after an earlier stage has failed: \(text)" }
        if let count = state.resetCount, isDirect, steps.count > count { return "has events after a reset: \(text)" }
        guard state.isWhole else { return nil }
        if state.resetCount == nil, ends.isEmpty { return "is not reported to its end: \(text)" }
        let before = steps.firstIndex(of: .start) ?? steps.endIndex
        if let early = steps[..<before].first(where: { ![.pause, .resume, .cancel, .bar].contains($0) }) {
            return "has a \(early) before its start: \(text)"
        }
        if steps.last == .finish, !steps.contains(.headers) { return "finishes without headers: \(text)" }
        let pauses = steps.filter { $0 == .pause || $0 == .resume }
        for (index, step) in pauses.enumerated() where (step == .pause) != index.isMultiple(of: 2) {
            return "is paused or resumed twice: \(text)"
        }
        return nil
    }

    /// Whether the operation has started before another one of a lower stage has ended.
    func isAhead(of other: Story) -> Bool {
        let (own, other) = (state.withLock { $0 }, other.state.withLock { $0 })
        guard other.stage < own.stage, own.resetCount == nil, other.resetCount == nil, let start = own.start,
            let ownAdding = own.adding, let otherAdding = other.adding
        else { return false }
        // One that was added later may find the other at work.
        guard otherAdding.upperBound <= ownAdding.lowerBound || other.start ?? .max < start else { return false }
        return start < other.end ?? .max
    }
}

/// The stories of the operations of one queue, as one listener is told them.
final class Stories: Sendable {
    private let stories = Guarded<[RequestOperation.ID: Story]>([:])
    private let clock = Guarded(0)

    /// A number that is larger than all before.
    func tick() -> Int {
        clock.withLock { clock in
            clock += 1
            return clock
        }
    }

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
        case .didStart(let operation): note(.start, operation)
        case .didReceiveHeaders(let operation, _): note(.headers, operation)
        case .willRedirect(let operation, _), .didReceiveChallenge(let operation, _): note(.question, operation)
        case .willRetry(let operation, _, _): note(.retry, operation)
        case .didPause(let operation): note(.pause, operation)
        case .didResume(let operation): note(.resume, operation)
        case .didFinish(let operation): note(.finish, operation)
        case .didFail(let operation, let error): note(Story.Step(error), operation)
        default: break
        }
    }

    private func note(_ step: Story.Step, _ operation: RequestOperation) { self[operation.id].note(step, tick()) }

    func faults(isDirect: Bool) -> [String] {
        let all = stories.withLock { $0 }
        let highest = all.values.filter { $0.count(of: [.start]) > 0 && $0.stage > 0 }
        let early = highest.flatMap { high in all.filter { high.isAhead(of: $0.value) }.keys }
        return all.compactMap { id, story in story.fault(isDirect: isDirect).map { "\(id) \($0)" } }
            + early.map { "\($0) has not ended when one of a higher stage starts" }
    }
}

extension Story.Step {
    /// The end with an error.
    fileprivate init(_ error: NetworkError) {
        switch error.code {
        case .cancelled: self = .cancel
        case .earlierStageFailed: self = .bar
        default: self = .fail
        }
    }
}
