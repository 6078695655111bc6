import Foundation

/// A point at which the server waits for the test, and at which the test can wait for the server.
///
/// ```swift
/// let gate = Gate()
/// server.serve("/slow", .text("late").gated(by: gate, at: .afterHead))
/// async let slow = queue.data(for: server.url("/slow"))
/// await gate.waitForArrival()  // its head has been sent
/// gate.open()  // now the body may follow
/// let text = try await slow
/// ```
///
/// One gate can hold any number of requests. A held request is dropped without an answer when the server stops or its
/// client hangs up.
public final class Gate: Sendable {
    private struct State {
        var isOpen: Bool
        var permits = 0
        var arrivals = 0
        var waiting: [WakePipe] = []
        var observers = Observers<Int>()
    }

    private let state: Locked<State>

    /// Creates a gate; closed by default.
    public init(isOpen: Bool = false) {
        state = Locked(State(isOpen: isOpen))
    }

    /// The total number of requests that have arrived, including those that found the gate open.
    public var arrivalCount: Int { state.withLock { $0.arrivals } }

    /// The number of requests that are waiting at the gate.
    public var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Lets all waiting requests pass, and all later ones until ``close()``.
    public func open() {
        let released = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for pipe in released { pipe.signal() }
    }

    /// Stops letting requests pass, and discards unused permits of ``letThrough(_:)``. Requests that have passed are
    /// not affected.
    public func close() {
        state.withLock { state in
            state.isOpen = false
            state.permits = 0
        }
    }

    /// Lets `count` requests pass, longest waiting first. Unused permits remain for later requests.
    public func letThrough(_ count: Int = 1) {
        let released = state.withLock { state in
            let released = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(released.count)
            state.permits += count - released.count
            return released
        }
        for pipe in released { pipe.signal() }
    }

    /// Suspends until at least `count` requests have arrived in total; returns immediately if they already have.
    ///
    /// - Returns: False if the timeout (default 5 minutes) expired or the task was canceled first.
    @discardableResult
    public func waitForArrival(count: Int = 1, timeout: Duration = .seconds(300)) async -> Bool {
        await Waiting.suspend(
            timeout: timeout,
            register: { self.register(count: count, resume: $0) },
            giveUp: { self.giveUp($0) })
    }

    /// Blocks the calling thread until at least `count` requests have arrived in total; returns immediately if they
    /// already have.
    ///
    /// - Returns: False if the timeout (default 5 minutes) expired first.
    @available(*, noasync)
    @discardableResult
    public func waitForArrival(count: Int = 1, timeout: Duration = .seconds(300)) -> Bool {
        Waiting.block(
            timeout: timeout,
            register: { register(count: count, resume: $0) },
            giveUp: { giveUp($0) })
    }

    /// Counts an arrival; returns the pipe to wait for, or `nil` if the request may pass.
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

    /// Removes a waiting request that was let through or has given up.
    func leave(_ pipe: WakePipe) {
        state.withLock { state in state.waiting.removeAll { $0 === pipe } }
    }

    /// Registers an observer and returns its ID; if the condition already holds, calls `resume` and returns `nil`.
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
