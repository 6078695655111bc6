import Dispatch

/// Takes events on any thread and delivers them one after the other, in order, on a dispatch queue.
///
/// All that has gathered is delivered by one block: at tens of thousands of requests a second, waking a thread for each
/// event would cost more than the requests. Events that no other work can be waiting for gather for a moment first.
final class CallbackRelay<Target: CallbackTarget>: Sendable {
    /// After so many events the queue gets a chance to do something else; it may be the main queue.
    private static var eventsPerBlock: Int { 512 }

    /// How long events gather that are not urgent. Far below what a person can notice.
    private static var gatheringTime: DispatchTimeInterval { .milliseconds(4) }

    /// What will deliver the events.
    private enum Schedule {
        case none
        case gathering
        case immediate
    }

    private struct State {
        var incoming: [Target.Notice?] = []
        /// What is being delivered: `nil` where it has been taken. An event is moved from hand to hand, as a copy costs a
        /// reference or two.
        var outgoing: [Target.Notice?] = []
        /// Where the next event is in `outgoing`.
        var position = 0
        var schedule = Schedule.none
        /// Raised by `discardAll`; events of an older one are dropped.
        var generation = 0
        /// The thread that is in a callback, and how deep: a callback may wait for others, which nests.
        var deliverer: ThreadID?
        var depth = 0
        /// Signalled when a callback has returned, and when there is an event for a thread that waits for one.
        var returnWaiters: [DispatchSemaphore] = []
        var eventWaiters: [DispatchSemaphore] = []

        var hasEvents: Bool { position < outgoing.count || !incoming.isEmpty }

        /// Takes the next event, for the calling thread to deliver.
        mutating func next() -> Target.Notice? {
            if position == outgoing.count {
                outgoing.removeAll(keepingCapacity: true)
                position = 0
                swap(&incoming, &outgoing)
            }
            guard position < outgoing.count else {
                // Inside another delivery the block that is scheduled has not ended.
                if depth == 0 { schedule = .none }
                return nil
            }
            let event = outgoing[position].take()
            position += 1
            deliverer = .current
            depth += 1
            return event
        }

        /// Notes that a callback has returned; returns who waits for that.
        mutating func didReturn() -> [DispatchSemaphore] {
            depth -= 1
            guard depth == 0 else { return [] }
            deliverer = nil
            defer { returnWaiters = [] }
            return returnWaiters
        }
    }

    let queue: DispatchQueue
    private let state = Guarded(State())

    init(queue: DispatchQueue) {
        self.queue = queue
    }

    /// Adds an event. `target` is kept alive until it has been delivered.
    ///
    /// - Parameters:
    ///   - isUrgent: whether other work may be waiting for it.
    ///   - generation: that of the event's origin; an event from before the latest `discardAll` is dropped.
    func post(_ event: consuming Target.Notice, to target: Target, isUrgent: Bool = true, generation: Int = 0) {
        let wanted = isUrgent ? Schedule.immediate : .gathering
        var event = Optional(event)
        let (schedule, waiters) = state.withLock { state -> (Schedule, [DispatchSemaphore]) in
            guard state.generation == generation else { return (.none, []) }
            state.incoming.append(event.take())
            let waiters = state.eventWaiters
            state.eventWaiters = []
            switch (state.schedule, wanted) {
            case (.none, _), (.gathering, .immediate):
                state.schedule = wanted
                return (wanted, waiters)
            default:
                return (.none, waiters)
            }
        }
        for waiter in waiters { waiter.signal() }
        switch schedule {
        case .none: break
        case .immediate: queue.async { [self] in deliverBlock(to: target) }
        case .gathering: queue.asyncAfter(deadline: .now() + Self.gatheringTime) { [self] in deliverBlock(to: target) }
        }
    }

    private func deliverBlock(to target: Target) {
        var event = state.withLock { $0.next() }
        for number in 1...Self.eventsPerBlock {
            guard let current = event.take() else { return }
            target.deliver(current)
            let waiters: [DispatchSemaphore]
            (event, waiters) = state.withLock { state in
                let waiters = state.didReturn()
                return (number < Self.eventsPerBlock ? state.next() : nil, waiters)
            }
            for waiter in waiters { waiter.signal() }
        }
        queue.async { [self] in deliverBlock(to: target) }
    }

    /// Delivers the next event on the calling thread, which must be in `queue`; returns whether there was one.
    func deliverNext(to target: Target) -> Bool {
        guard let event = state.withLock({ $0.next() }) else { return false }
        target.deliver(event)
        for waiter in state.withLock({ $0.didReturn() }) { waiter.signal() }
        return true
    }

    /// Whether the calling thread is in a callback of this relay.
    var isInCallback: Bool {
        state.withLock { $0.deliverer == .current }
    }

    /// Returns a semaphore that is signalled at the next event; `nil` when there is one already.
    func semaphoreForNextEvent() -> DispatchSemaphore? {
        state.withLock { state in
            guard !state.hasEvents else { return nil }
            let semaphore = DispatchSemaphore(value: 0)
            state.eventWaiters.append(semaphore)
            return semaphore
        }
    }

    /// What `discardAll` leaves to be done outside the caller's lock.
    struct Discarded {
        /// The events that are not delivered.
        let notices: [Target.Notice]
        fileprivate let eventWaiters: [DispatchSemaphore]
        fileprivate let callback: DispatchSemaphore?

        /// Wakes those who wait for an event, and waits for the callback that is running on another thread, if there is one.
        func settle() {
            for waiter in eventWaiters { waiter.signal() }
            callback?.wait()
        }
    }

    /// Drops all events up to `generation`. May be called under a lock, so that no thread is in the new generation before the
    /// relay is.
    func discardAll(startingGeneration generation: Int) -> Discarded {
        state.withLock { state in
            state.generation = generation
            var callback: DispatchSemaphore?
            if state.depth > 0, state.deliverer != .current {
                let semaphore = DispatchSemaphore(value: 0)
                state.returnWaiters.append(semaphore)
                callback = semaphore
            }
            defer {
                state.incoming = []
                state.outgoing = []
                state.position = 0
                state.eventWaiters = []
            }
            return Discarded(
                notices: (state.outgoing[state.position...] + state.incoming).compactMap(\.self),
                eventWaiters: state.eventWaiters,
                callback: callback)
        }
    }
}

/// Receives the events of a ``CallbackRelay``.
protocol CallbackTarget: AnyObject, Sendable {
    associatedtype Notice: Sendable
    /// Called in the relay's queue, under no lock.
    func deliver(_ notice: Notice)
}
