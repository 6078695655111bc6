import Dispatch
import Foundation

/// Makes callbacks one after another, on a serial queue of its own that targets the user's queue. So they run on that
/// queue, but serially even if it is concurrent.
///
/// One block makes all pending calls, and the next one starts no earlier than ``blockInterval`` after it has made the
/// last of them: at tens of thousands of requests a second, waking a thread for each call would cost more than the
/// requests.
final class CallbackQueue: Sendable {
    /// Makes one call or some; returns how many.
    typealias Call = @Sendable () -> Int

    /// The number of calls after which the user's queue, perhaps the main queue, can do other work.
    static let callsPerBlock = 512
    /// The shortest time between two blocks. It saves a fifth of the processor time of 1 KiB responses, 16 at a time
    /// (`netqueue-bench small`). A call that comes after a longer time is made at once.
    static let blockInterval: DispatchTimeInterval = .milliseconds(1)
    /// The time that a thread waits inside a block of the user's queue before it checks whether callbacks can run.
    private static let probeTime: DispatchTimeInterval = .seconds(1)

    private struct State {
        var incoming: [Call] = []
        /// The calls that the block makes, the next one last.
        var outgoing: [Call] = []
        /// Whether a block that makes the calls has been scheduled and has not ended.
        var isScheduled = false
        /// When the next block may start.
        var nextStart = DispatchTime.now()
        /// The thread that is running a callback.
        var caller: ThreadID?
        var returnWaiters: [DispatchSemaphore] = []

        /// Takes the next call, which the calling thread must make.
        mutating func next() -> Call? {
            if outgoing.isEmpty {
                swap(&incoming, &outgoing)
                outgoing.reverse()
            }
            guard let call = outgoing.popLast() else {
                isScheduled = false
                nextStart = .now() + CallbackQueue.blockInterval
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

    /// Posts a call. It is made after those posted before it.
    func post(_ call: @escaping Call) {
        let start = state.withLock { state -> DispatchTime? in
            state.incoming.append(call)
            defer { state.isScheduled = true }
            return state.isScheduled ? nil : state.nextStart
        }
        guard let start else { return }
        if start <= .now() {
            queue.async { [self] in makeCalls() }
        } else {
            queue.asyncAfter(deadline: start) { [self] in makeCalls() }
        }
    }

    /// Whether calls have been posted and not made.
    var hasCalls: Bool { state.withLock { $0.isScheduled } }

    private func makeCalls() {
        var count = 0
        while count < Self.callsPerBlock {
            guard let call = state.withLock({ $0.next() }) else { return }
            count += call()
            for waiter in state.withLock({ $0.noteReturn() }) { waiter.signal() }
        }
        // Through the target: otherwise its worker would stay with our queue for as long as that has a block.
        target.async { [self] in queue.async { [self] in makeCalls() } }
    }

    // MARK: Waiting

    /// Whether the calling code runs inside a callback.
    var isInCallback: Bool { state.withLock { $0.caller == .current } }

    /// Waits until a callback that is running on another thread has returned, if there is one.
    func waitForRunningCall() {
        let semaphore = state.withLock { state -> DispatchSemaphore? in
            guard let caller = state.caller, caller != .current else { return nil }
            let semaphore = DispatchSemaphore(value: 0)
            state.returnWaiters.append(semaphore)
            return semaphore
        }
        semaphore?.wait()
    }

    /// Waits for a signal from a callback.
    ///
    /// On the main thread it runs the run loop. Where it would wait forever, it traps: inside a callback, and in a
    /// block of the user's queue that keeps callbacks from running.
    func wait(for semaphore: DispatchSemaphore, in function: StaticString) {
        // Not preconditions: release builds would omit their messages.
        if isInCallback {
            fatalError(
                "\(function) was called inside a callback, and waits for callbacks that can run only when this one has returned."
            )
        }
        guard CallbackQueueMark.isCurrent(target) else { return MainRunLoop.wait(for: semaphore) }
        let probe = DispatchSemaphore(value: 0)
        queue.async { probe.signal() }
        if MainRunLoop.wait(for: semaphore, until: .now() + Self.probeTime) { return }
        guard probe.wait(timeout: .now()) == .success else {
            fatalError(
                """
                \(function) was called on the queue that runs the callbacks, "\(target.label)", and waits for callbacks that can \
                run only when the calling block has returned. Call it elsewhere, or use the async functions.
                """)
        }
        MainRunLoop.wait(for: semaphore)
    }
}

/// Recognizes, by `DispatchQueue.getSpecific`, whether code runs on a given callback queue.
enum CallbackQueueMark {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    /// Marks a queue for `isCurrent(_:)`, unless it is one of the system's global queues: those are shared, and some
    /// systems do not let them be marked. A wait on a global queue does not block callbacks, because other threads
    /// continue there.
    static func put(on queue: DispatchQueue) {
        guard !queue.label.hasPrefix("com.apple.root.") else { return }
        queue.setSpecific(key: key, value: ObjectIdentifier(queue))
    }

    /// Whether the calling code runs on `queue`, if that is marked.
    static func isCurrent(_ queue: DispatchQueue) -> Bool {
        DispatchQueue.getSpecific(key: key) == ObjectIdentifier(queue)
    }
}
