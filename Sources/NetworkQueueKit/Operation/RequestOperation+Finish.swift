import Dispatch
import Foundation

/// `isFinished`, which comes after the callbacks, and what waits for it.
extension RequestOperation {
    /// Makes the operation finished, which has ended: no callback about it is to come any more. Only the first call counts.
    func finish() {
        guard !isFinished else { return }
        #if canImport(ObjectiveC)
            // Observers must hear of it once.
            let isFirst = state.withLock { state in
                defer { state.isFinishing = true }
                return !state.isFinishing
            }
            guard isFirst else { return }
            willChangeValue(forKey: "isFinished")
            defer { didChangeValue(forKey: "isFinished") }
        #endif
        let (isChange, waiters) = state.withLock { state in
            guard !hasFinished.exchange(true, ordering: .acquiringAndReleasing) else {
                return (false, [DispatchSemaphore]())
            }
            return (true, state.handlers?.takeFinishWaiters() ?? [])
        }
        guard isChange else { return }
        #if !canImport(ObjectiveC)
            // Foundation on Linux looks at nothing else, and not at what comes before.
            didChangeValue(forKey: "isFinished")
        #endif
        for waiter in waiters { waiter.signal() }
    }

    /// Does what `waitUntilFinished()` says.
    func waitForFinish() {
        let semaphore = DispatchSemaphore(value: 0)
        let home = state.withLock { state -> Home? in
            guard !isFinished else { return nil }
            let handlers = state.handlers ?? Handlers()
            handlers.finishWaiters.append(semaphore)
            state.handlers = handlers
            return state.home
        }
        guard let home, !makeCallbacks(of: home, until: semaphore) else { return }
        MainRunLoop.wait(for: semaphore)
    }

    /// A function of its own, so that the wait that may follow does not keep the queue alive: one that is let go cancels what it has not
    /// started.
    private func makeCallbacks(of home: Home, until semaphore: DispatchSemaphore) -> Bool {
        let listener: any OperationListener =
            if case .queue(let queue) = home {
                queue.value?.listener(of: self) ?? queue.lastListener
            } else {
                Self.standaloneListener
            }
        return listener.makeCallbacks(until: self, isFinished: semaphore)
    }
}

extension CallbackRelay {
    /// Does what `OperationListener` says.
    func makeCallbacks(
        until operation: RequestOperation, isFinished semaphore: DispatchSemaphore, target: Target
    ) -> Bool {
        guard !isInCallback(about: ObjectIdentifier(operation)) else {
            // Not a precondition: its text would be missing in release builds.
            fatalError(
                """
                waitUntilFinished() was called for \(operation) inside its own callback, and it is not finished before that has \
                returned. Use what the callback is given, or wait outside of callbacks about this operation.
                """)
        }
        guard mustDeliver else { return false }
        deliver(to: target, until: { operation.isFinished }, semaphore: semaphore)
        return true
    }
}
