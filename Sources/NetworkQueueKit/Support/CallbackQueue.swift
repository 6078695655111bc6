import Dispatch
import Foundation

/// Makes callbacks one after the other, on a serial queue of its own that targets the user's queue: so they are in that
/// queue, and serial even where it is concurrent.
///
/// All calls that have gathered are made by one block: at tens of thousands of requests a second, waking a thread for
/// each would cost more than the requests.
final class CallbackQueue: Sendable {
    /// What is to be called, and what instead if it is discarded before.
    private struct Call {
        let body: @Sendable () -> Void
        let discarded: (@Sendable () -> Void)?
    }

    /// After so many calls the user's queue gets a chance to do something else; it may be the main queue.
    private static let callsPerBlock = 512
    /// How long a thread waits inside a block of the user's queue before it looks whether callbacks can come.
    private static let probeTime: DispatchTimeInterval = .seconds(1)

    private struct State {
        var incoming: [Call] = []
        /// What the block makes, the next one last.
        var outgoing: [Call] = []
        /// Whether a block has been sent that makes the calls, and has not ended.
        var isScheduled = false
        /// The thread that is in a callback.
        var caller: ThreadID?
        var returnWaiters: [DispatchSemaphore] = []

        /// Takes the next call, for the calling thread to make.
        mutating func next() -> Call? {
            if outgoing.isEmpty {
                swap(&incoming, &outgoing)
                outgoing.reverse()
            }
            guard let call = outgoing.popLast() else {
                isScheduled = false
                return nil
            }
            caller = .current
            return call
        }

        mutating func noteReturn() -> [DispatchSemaphore] {
            caller = nil
            defer { returnWaiters = [] }
            return returnWaiters
        }
    }

    /// The user's queue.
    let target: DispatchQueue
    private let queue: DispatchQueue
    private let state = Guarded(State())

    init(target: DispatchQueue) {
        self.target = target
        queue = DispatchQueue(label: target.label + ".NetworkQueueKit", target: target)
        CallbackQueueMark.put(on: target)
    }

    /// Has a call made, after those that were posted before it.
    ///
    /// - Parameter discarded: called in its place by ``discardAll()``.
    func post(_ body: @escaping @Sendable () -> Void, discarded: (@Sendable () -> Void)? = nil) {
        let mustSchedule = state.withLock { state in
            state.incoming.append(Call(body: body, discarded: discarded))
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if mustSchedule { queue.async { [self] in makeCalls() } }
    }

    private func makeCalls() {
        for _ in 0..<Self.callsPerBlock {
            guard let call = state.withLock({ $0.next() }) else { return }
            call.body()
            for waiter in state.withLock({ $0.noteReturn() }) { waiter.signal() }
        }
        // Through the target: its worker would otherwise stay with our queue as long as that has a block.
        target.async { [self] in queue.async { [self] in makeCalls() } }
    }

    /// Discards the calls that have not been made.
    func discardAll() {
        let calls = state.withLock { state in
            defer {
                state.incoming = []
                state.outgoing = []
            }
            return state.outgoing.reversed() + state.incoming
        }
        for call in calls { call.discarded?() }
    }

    // MARK: Waiting

    /// Whether the calling code runs inside a callback.
    var isInCallback: Bool { state.withLock { $0.caller == .current } }

    /// Waits until the callback has returned that is running on another thread, if there is one.
    func waitForRunningCall() {
        let semaphore = state.withLock { state -> DispatchSemaphore? in
            guard let caller = state.caller, caller != .current else { return nil }
            let semaphore = DispatchSemaphore(value: 0)
            state.returnWaiters.append(semaphore)
            return semaphore
        }
        semaphore?.wait()
    }

    /// Waits for a signal that a callback gives.
    ///
    /// On the main thread the run loop runs meanwhile. Traps where the wait would have no end: inside a callback, and
    /// in a block of the user's queue that keeps the callbacks from being made.
    func wait(for semaphore: DispatchSemaphore, in function: StaticString) {
        // Not preconditions: their texts would be missing in release builds.
        if isInCallback {
            fatalError("\(function) was called inside a callback, and waits for callbacks that come after it.")
        }
        guard CallbackQueueMark.isCurrent(target) else { return MainRunLoop.wait(for: semaphore) }
        let probe = DispatchSemaphore(value: 0)
        queue.async { probe.signal() }
        if MainRunLoop.wait(for: semaphore, until: .now() + Self.probeTime) { return }
        guard probe.wait(timeout: .now()) == .success else {
            fatalError(
                """
                \(function) was called in a block of the queue that callbacks are made on, "\(target.label)", and no callback can \
                come before that block has ended. Wait elsewhere, or use the asynchronous functions.
                """)
        }
        MainRunLoop.wait(for: semaphore)
    }
}

/// Tells by `DispatchQueue.getSpecific` whether code runs in a given callback queue.
enum CallbackQueueMark {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    /// Has `isCurrent(_:)` recognize a queue from now on, unless it is one of the system's global queues: they belong
    /// to all, and on some systems they take no mark. Waits for callbacks on those never block, since other threads go
    /// on there.
    static func put(on queue: DispatchQueue) {
        guard !queue.label.hasPrefix("com.apple.root.") else { return }
        queue.setSpecific(key: key, value: ObjectIdentifier(queue))
    }

    /// Whether the calling code runs in `queue`, if that has the mark.
    static func isCurrent(_ queue: DispatchQueue) -> Bool {
        DispatchQueue.getSpecific(key: key) == ObjectIdentifier(queue)
    }
}
