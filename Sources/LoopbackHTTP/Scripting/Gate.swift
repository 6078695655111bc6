import Foundation

/// A point at which the server waits until the test lets it pass, and at which the test can wait for the server.
///
///     let gate = Gate()
///     server.serve("/slow", .text("late").gated(by: gate, at: .afterHead))
///     // … start a request …
///     await gate.waitForArrival()     // its head has been sent
///     gate.open()                     // now the body may follow
///
/// One gate may hold any number of requests. Those that it holds are let go without an answer when the server stops or
/// their client hangs up.
public final class Gate: Sendable {
    private struct State {
        var isOpen: Bool
        var permits = 0
        var arrivals = 0
        var waiting: [WakePipe] = []
        var observers = Observers<Int>()
    }

    private let state: Locked<State>

    /// Makes a gate, by default a closed one.
    public init(isOpen: Bool = false) {
        state = Locked(State(isOpen: isOpen))
    }

    /// How many requests have arrived in all, also those that found the gate open.
    public var arrivalCount: Int { state.withLock { $0.arrivals } }

    /// How many requests wait at the gate now.
    public var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Lets all pass that wait, and all that come until ``close()``.
    public func open() {
        let released = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for pipe in released { pipe.signal() }
    }

    /// Lets no connection pass any more. Those that have passed are not affected.
    public func close() {
        state.withLock { state in
            state.isOpen = false
            state.permits = 0
        }
    }

    /// Lets a number of requests pass, those that wait the longest first; what is left is for those that come later.
    public func letThrough(_ count: Int = 1) {
        let released = state.withLock { state in
            let released = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(released.count)
            state.permits += count - released.count
            return released
        }
        for pipe in released { pipe.signal() }
    }

    /// Suspends until `count` requests have arrived in all; at once if they have already.
    ///
    /// - Returns: False if the timeout (default 5 minutes) passed or the task was cancelled before.
    @discardableResult
    public func waitForArrival(count: Int = 1, timeout: Duration = .seconds(300)) async -> Bool {
        await Waiting.suspend(
            timeout: timeout,
            register: { self.register(count: count, resume: $0) },
            giveUp: { self.giveUp($0) })
    }

    /// Blocks the calling thread until `count` requests have arrived in all; at once if they have already.
    ///
    /// - Returns: False if the timeout (default 5 minutes) passed before.
    @available(*, noasync)
    @discardableResult
    public func waitForArrival(count: Int = 1, timeout: Duration = .seconds(300)) -> Bool {
        Waiting.block(
            timeout: timeout,
            register: { register(count: count, resume: $0) },
            giveUp: { giveUp($0) })
    }

    /// Counts an arrival; returns what to wait for, or `nil` if the way is free.
    func arrive(waitingOn pipe: WakePipe) -> WakePipe? {
        let (held, resumes) = state.withLock { state -> (WakePipe?, [Observers<Int>.Resume]) in
            state.arrivals += 1
            let resumes = state.observers.take(satisfiedBy: state.arrivals)
            if state.isOpen { return (nil, resumes) }
            if state.permits > 0 {
                state.permits -= 1
                return (nil, resumes)
            }
            state.waiting.append(pipe)
            return (pipe, resumes)
        }
        for resume in resumes { resume(true) }
        return held
    }

    /// Removes a waiting connection, whether it was let through or has given up.
    func leave(_ pipe: WakePipe) {
        state.withLock { state in state.waiting.removeAll { $0 === pipe } }
    }

    /// Registers an observer, or resumes it at once and returns `nil`.
    private func register(count: Int, resume: @escaping @Sendable (Bool) -> Void) -> Int? {
        let id = state.withLock { state in
            state.arrivals >= count ? nil : state.observers.add({ $0 >= count }, resume: resume)
        }
        if id == nil { resume(true) }
        return id
    }

    private func giveUp(_ id: Int) {
        state.withLock { $0.observers.giveUp(id) }?(false)
    }
}
