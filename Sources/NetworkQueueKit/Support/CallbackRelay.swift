import Dispatch

/// Takes events on any thread and delivers them one after the other, in order, on a dispatch queue, which may be a concurrent one.
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

    private struct Entry {
        /// `nil` where it has been taken. An event is moved, not copied: a copy costs one or two references.
        var event: Target.Notice?
        /// What it is about. Not asked of the event, which is done under the lock and would copy it.
        let subject: ObjectIdentifier?
    }

    private struct State {
        var incoming: [Entry] = []
        /// What is being delivered.
        var outgoing: [Entry] = []
        /// Where the next event is in `outgoing`.
        var position = 0
        var schedule = Schedule.none
        /// Raised by `discardAll`; events of an older one are dropped.
        var generation = 0
        /// The thread that is in a callback.
        var deliverer: ThreadID?
        /// What its callbacks are about, the innermost last: a callback may wait for others, which nests.
        var subjects: [ObjectIdentifier?] = []
        /// Whether a block has returned without delivering anything, because a thread that waits for an operation was delivering events
        /// itself. Then that thread schedules another block when its callback has returned. Only on a concurrent queue.
        var owesBlock = false
        /// Signalled when a callback has returned, and when there is an event for a thread that waits for one.
        var returnWaiters: [DispatchSemaphore] = []
        var eventWaiters: [DispatchSemaphore] = []

        var hasEvents: Bool { position < outgoing.count || !incoming.isEmpty }

        /// Whether another thread is in a callback. On a concurrent queue two blocks may run at a time, and others beside them that wait
        /// for events.
        var isElsewhere: Bool { !subjects.isEmpty && deliverer != .current }

        /// Takes the next event, for the calling thread to deliver.
        mutating func next() -> Target.Notice? {
            if position == outgoing.count {
                outgoing.removeAll(keepingCapacity: true)
                position = 0
                swap(&incoming, &outgoing)
            }
            guard position < outgoing.count else {
                // Inside another delivery the block that is scheduled has not ended.
                if subjects.isEmpty { schedule = .none }
                return nil
            }
            let event = outgoing[position].event.take()
            deliverer = .current
            subjects.append(outgoing[position].subject)
            position += 1
            return event
        }

        /// Notes that a callback has returned; returns who waits for that.
        mutating func didReturn() -> [DispatchSemaphore] {
            subjects.removeLast()
            guard subjects.isEmpty else { return [] }
            deliverer = nil
            // On a concurrent queue a thread may wait for an event that it could not deliver meanwhile.
            guard !returnWaiters.isEmpty || !eventWaiters.isEmpty else { return [] }
            defer {
                returnWaiters = []
                eventWaiters = []
            }
            return returnWaiters + eventWaiters
        }
    }

    let queue: DispatchQueue
    /// Taken under the lock of a `NetworkQueue` by `discardAll`, otherwise alone. No other is taken under it.
    private let state = Guarded(State())

    init(queue: DispatchQueue) {
        self.queue = queue
        CallbackQueueMark.put(on: queue)
    }

    /// Adds an event. `target` is kept alive until it has been delivered.
    ///
    /// - Parameters:
    ///   - subject: what it is about, which its callback cannot wait for; `nil` where that is nothing that can be waited for.
    ///   - isUrgent: whether other work may be waiting for it.
    ///   - generation: that of the event's origin; an event from before the latest `discardAll` is dropped.
    /// - Returns: `false` when it has been dropped.
    @discardableResult
    func post(
        _ event: consuming Target.Notice, about subject: AnyObject? = nil, to target: Target, isUrgent: Bool = true,
        generation: Int = 0
    ) -> Bool {
        let subject = subject.map { ObjectIdentifier($0) }
        let wanted = isUrgent ? Schedule.immediate : .gathering
        var event = Optional(event)
        let (isTaken, schedule, waiters) = state.withLock { state -> (Bool, Schedule, [DispatchSemaphore]) in
            guard state.generation == generation else { return (false, .none, []) }
            state.incoming.append(Entry(event: event.take(), subject: subject))
            let waiters = state.eventWaiters
            state.eventWaiters = []
            switch (state.schedule, wanted) {
            case (.none, _), (.gathering, .immediate):
                state.schedule = wanted
                return (true, wanted, waiters)
            default:
                return (true, .none, waiters)
            }
        }
        for waiter in waiters { waiter.signal() }
        switch schedule {
        case .none: break
        case .immediate: queue.async { [self] in deliverBlock(to: target) }
        case .gathering: queue.asyncAfter(deadline: .now() + Self.gatheringTime) { [self] in deliverBlock(to: target) }
        }
        return isTaken
    }

    private func deliverBlock(to target: Target) {
        var event = state.withLock { state -> Target.Notice? in
            // A thread that is in a callback goes on with what is left, if that is another block's. It may be this one: a callback that
            // waits on the main thread has the run loop make this call.
            if !state.isElsewhere, let next = state.next() { return next }
            state.owesBlock = !state.subjects.isEmpty
            return nil
        }
        for number in 1...Self.eventsPerBlock {
            guard let current = event.take() else { return }
            target.deliver(consume current)
            let waiters: [DispatchSemaphore]
            (event, waiters) = state.withLock { state in
                let waiters = state.didReturn()
                // This block is the one that is owed.
                state.owesBlock = false
                return (number < Self.eventsPerBlock ? state.next() : nil, waiters)
            }
            for waiter in waiters { waiter.signal() }
        }
        queue.async { [self] in deliverBlock(to: target) }
    }

    /// Delivers the next event on the calling thread, which must be in `queue`; returns whether it has. It does not while another
    /// thread is in a callback.
    func deliverNext(to target: Target) -> Bool {
        guard let event = state.withLock({ $0.isElsewhere ? nil : $0.next() }) else { return false }
        target.deliver(event)
        let (waiters, owesBlock) = state.withLock { state in
            let waiters = state.didReturn()
            guard state.owesBlock, state.subjects.isEmpty else { return (waiters, false) }
            state.owesBlock = false
            if !state.hasEvents { state.schedule = .none }
            return (waiters, state.hasEvents)
        }
        for waiter in waiters { waiter.signal() }
        if owesBlock { queue.async { [self] in deliverBlock(to: target) } }
        return true
    }

    /// Whether the calling thread is in a callback of this relay.
    var isInCallback: Bool {
        state.withLock { !$0.subjects.isEmpty && $0.deliverer == .current }
    }

    /// Whether the calling thread is in a callback about `subject`.
    func isInCallback(about subject: ObjectIdentifier) -> Bool {
        state.withLock { $0.deliverer == .current && $0.subjects.contains(subject) }
    }

    /// Whether the calling code is what the callbacks wait for: it runs in a callback or in the queue, so that when it waits, it has
    /// to deliver them itself.
    var mustDeliver: Bool { isInCallback || CallbackQueueMark.isCurrent(queue) }

    /// Waits on the calling thread until `isDone` returns `true`, and delivers events meanwhile. Only where `mustDeliver`.
    ///
    /// - Parameters:
    ///   - isDone: called under no lock.
    ///   - semaphore: signalled when `isDone` may have come true for another reason than an event.
    func deliver(
        to target: Target, until isDone: () -> Bool, semaphore: DispatchSemaphore = DispatchSemaphore(value: 0)
    ) {
        while !isDone() {
            if deliverNext(to: target) { continue }
            // What discards events wakes those that wait already; those that come later must look again.
            if addEventWaiter(semaphore), !isDone() { MainRunLoop.wait(for: semaphore) }
        }
    }

    /// Has a semaphore signalled when there is an event for the calling thread to deliver; `false` when there is one already.
    func addEventWaiter(_ semaphore: DispatchSemaphore) -> Bool {
        state.withLock { state in
            guard !state.hasEvents || state.isElsewhere else { return false }
            state.eventWaiters.append(semaphore)
            return true
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
            if state.isElsewhere {
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
                notices: (state.outgoing[state.position...] + state.incoming).compactMap(\.event),
                eventWaiters: state.eventWaiters,
                callback: callback)
        }
    }
}

/// Receives the events of a ``CallbackRelay``.
protocol CallbackTarget: AnyObject, Sendable {
    associatedtype Notice: Sendable
    /// Called in the relay's queue, under no lock.
    func deliver(_ notice: consuming Notice)
}
