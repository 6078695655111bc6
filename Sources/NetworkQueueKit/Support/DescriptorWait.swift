import Foundation
import Synchronization

/// The wait for a descriptor of something that found none free.
///
/// Nothing tells when a descriptor of the process or the system comes free, so it is tried again and again.
final class DescriptorWait: Sendable {
    /// The time between two tries.
    static let interval = Duration.milliseconds(50)

    /// When there was none for the first time.
    let start: Duration
    private let budget: DescriptorBudget
    private let limit: Duration
    private let isCounted = Atomic(true)

    /// Begins to wait.
    ///
    /// - Parameter limit: how long to wait where no request runs whose end could free a descriptor: the transport's `connectTimeout`.
    init(budget: DescriptorBudget = .shared, limit: Duration) {
        start = Self.now
        self.budget = budget
        self.limit = limit
        budget.noteStarving(1)
    }

    deinit { end() }

    /// Waits once more, after a try that has gone further than to the lack of a descriptor.
    func begin() {
        if !isCounted.exchange(true, ordering: .relaxed) { budget.noteStarving(1) }
    }

    /// Notes that it does not wait at present.
    func end() {
        if isCounted.exchange(false, ordering: .relaxed) { budget.noteStarving(-1) }
    }

    /// Whether it has taken so long that, where nothing runs that could free a descriptor, it is to end.
    var isLong: Bool { Self.now - start >= limit }

    /// Whether to try again. Of several that hold a connection or a file while they wait, one at a time is told not to: the others can use
    /// what it gives back.
    var isWorthwhile: Bool { !isLong || budget.runsOthers || !budget.maySurrender(at: Self.now) }

    /// Calls `body` once after the interval.
    func tryLater(_ body: @escaping @Sendable () -> Void) {
        DescriptorPoll.shared.callLater(body)
    }

    /// Stands still while the system sleeps.
    private static var now: Duration { .time(of: CLOCK_MONOTONIC) }
}

/// Calls back after a moment, on a thread of its own: Dispatch on Linux may need descriptors for a timer, and ends the process where it
/// gets none.
private final class DescriptorPoll: Sendable {
    static let shared = DescriptorPoll()

    private struct State {
        var calls: [@Sendable () -> Void] = []
        var isRunning = false
    }

    private let state = Guarded(State())

    func callLater(_ body: @escaping @Sendable () -> Void) {
        let mustStart = state.withLock { state in
            state.calls.append(body)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if mustStart { Thread.detachNewThread { [self] in run() } }
    }

    private func run() {
        while true {
            Thread.sleep(forTimeInterval: DescriptorWait.interval.seconds)
            let calls = state.withLock { state in
                defer { state.calls = [] }
                state.isRunning = !state.calls.isEmpty
                return state.calls
            }
            guard !calls.isEmpty else { return }
            for call in calls { call() }
        }
    }
}
