import Dispatch
import Synchronization

/// Takes events on any thread and delivers them one after the other, in order, on a dispatch queue.
///
/// All that has gathered is delivered by one block: at tens of thousands of requests a second a block for each event
/// would cost more than the requests.
final class CallbackRelay<Target: CallbackTarget>: Sendable {
    /// After so many events the queue gets a chance to do something else; it may be the main queue.
    private static var eventsPerBlock: Int { 512 }

    private struct State {
        var incoming: [Target.Notice] = []
        /// The next event is the last of these.
        var outgoing: [Target.Notice] = []
        var isScheduled = false
        /// Raised by `discardAll`; events of an older one are dropped.
        var generation = 0
        /// The thread that is in a callback, and how deep: a callback may wait for others, which nests.
        var deliverer: ThreadID?
        var depth = 0
        /// Signalled when a callback has returned, and when there is an event for a thread that waits for one.
        var returnWaiters: [DispatchSemaphore] = []
        var eventWaiters: [DispatchSemaphore] = []

        mutating func next() -> Target.Notice? {
            if outgoing.isEmpty {
                swap(&incoming, &outgoing)
                outgoing.reverse()
            }
            return outgoing.popLast()
        }
    }

    let queue: DispatchQueue
    private let state = Mutex(State())

    init(queue: DispatchQueue) {
        self.queue = queue
    }

    /// Adds an event. `target` is kept alive until it has been delivered.
    ///
    /// - Parameter generation: that of the event's origin; an event from before the latest `discardAll` is dropped.
    func post(_ event: Target.Notice, to target: Target, generation: Int = 0) {
        let (mustSchedule, waiters) = state.withLock { state in
            guard state.generation == generation else { return (false, [DispatchSemaphore]()) }
            state.incoming.append(event)
            defer {
                state.isScheduled = true
                state.eventWaiters = []
            }
            return (!state.isScheduled, state.eventWaiters)
        }
        for waiter in waiters { waiter.signal() }
        if mustSchedule { schedule(target) }
    }

    private func schedule(_ target: Target) {
        queue.async { [self] in
            for _ in 0..<Self.eventsPerBlock {
                guard deliverNext(to: target) else { return }
            }
            schedule(target)
        }
    }

    /// Delivers the next event on the calling thread, which must be in `queue`; returns whether there was one.
    func deliverNext(to target: Target) -> Bool {
        let event = state.withLock { state -> Target.Notice? in
            guard let event = state.next() else {
                // Inside another delivery the block that is scheduled has not ended.
                if state.depth == 0 { state.isScheduled = false }
                return nil
            }
            state.deliverer = .current
            state.depth += 1
            return event
        }
        guard let event else { return false }
        target.deliver(event)
        let waiters = state.withLock { state in
            state.depth -= 1
            guard state.depth == 0 else { return [DispatchSemaphore]() }
            state.deliverer = nil
            defer { state.returnWaiters = [] }
            return state.returnWaiters
        }
        for waiter in waiters { waiter.signal() }
        return true
    }

    /// Whether the calling thread is in a callback of this relay.
    var isInCallback: Bool {
        state.withLock { $0.deliverer == .current }
    }

    /// Returns a semaphore that is signalled at the next event; `nil` when there is one already.
    func semaphoreForNextEvent() -> DispatchSemaphore? {
        state.withLock { state in
            guard state.incoming.isEmpty, state.outgoing.isEmpty else { return nil }
            let semaphore = DispatchSemaphore(value: 0)
            state.eventWaiters.append(semaphore)
            return semaphore
        }
    }

    /// Signals those who wait for an event, though there is none.
    func wakeEventWaiters() {
        let waiters = state.withLock { state in
            defer { state.eventWaiters = [] }
            return state.eventWaiters
        }
        for waiter in waiters { waiter.signal() }
    }

    /// Drops all events up to `generation`, and waits for the callback that is running on another thread, if there is one.
    func discardAll(startingGeneration generation: Int) {
        var dropped: [Target.Notice] = []
        let waiter = state.withLock { state -> DispatchSemaphore? in
            state.generation = generation
            // Released outside the lock: an event may hold the last reference to something.
            dropped = state.incoming + state.outgoing
            state.incoming = []
            state.outgoing = []
            guard state.depth > 0, state.deliverer != .current else { return nil }
            let semaphore = DispatchSemaphore(value: 0)
            state.returnWaiters.append(semaphore)
            return semaphore
        }
        waiter?.wait()
        dropped.removeAll()
    }
}

/// Receives the events of a ``CallbackRelay``.
protocol CallbackTarget: AnyObject, Sendable {
    associatedtype Notice: Sendable
    /// Called in the relay's queue, under no lock.
    func deliver(_ notice: Notice)
}
