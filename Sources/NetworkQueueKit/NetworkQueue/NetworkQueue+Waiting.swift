import Dispatch
import Foundation

extension NetworkQueue {
    /// Starts the queue and waits for the drain; returns when the delegate has been told.
    ///
    /// Cancelling the task cancels all operations; the summary then tells so. A `reset()` meanwhile ends the wait with
    /// what has been counted until then.
    @discardableResult
    public func run() async -> Summary {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.drainWaiters.append { continuation.resume(returning: $0) } }
                go()
            }
        } onCancel: {
            cancelAll()
        }
    }

    /// Starts the queue, and keeps it from draining before `body` has returned; returns when the delegate has been told of the drain.
    ///
    /// For requests that become known one after the other: whatever `body` adds, and however long it waits in between, belongs to one
    /// run, with one progress and one summary.
    ///
    ///     let summary = await queue.run {
    ///         for await url in urls { queue.add(url) }
    ///     }
    ///
    /// Cancelling the task cancels the operations that are there; `body` has to see for itself that its task is cancelled. An error of
    /// `body` cancels them, too, and is thrown after the drain. A `reset()` meanwhile ends the wait when `body` has returned, with what
    /// had been counted until then.
    @discardableResult
    public func run<Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Void
    ) async throws(Failure) -> Summary {
        let drain = Handover<Summary>()
        let sender = drain.makeSender()
        let generation = deferDrain()
        state.withLock { $0.drainWaiters.append { sender.send($0) } }
        let (result, summary) = await withTaskCancellationHandler {
            go()
            let result: Result<Void, Failure>
            do throws(Failure) {
                try await body()
                result = .success(())
            } catch {
                result = .failure(error)
                cancelAll()
            }
            release(generation)
            return (result, await drain.value())
        } onCancel: {
            cancelAll()
        }
        try result.get()
        guard let summary else { preconditionFailure("A queue has let go of those who wait for it to drain.") }
        return summary
    }

    /// Everything that the delegate is told from now on. Any number of listeners may do so, and each gets all of it.
    ///
    /// Events wait in memory until they are taken; of progress updates that have not been taken only the newest is kept. A stream with
    /// more than 16,384 other events unread ends behind these. Ending a stream, or its task, has no effect on the queue.
    ///
    /// - Parameter acrossRuns: whether the stream goes on after the drain and after ``reset()``, until the queue is let go. Default
    ///   `false`: it ends with the drain.
    public func events(acrossRuns: Bool = false) -> AsyncStream<Event> {
        hasHadAudience.store(true, ordering: .releasing)
        let buffer = state.withLock { state in
            state.latestStream += 1
            let number = state.latestStream
            let buffer = EventBuffer(isAcrossRuns: acrossRuns) { [weak self] in
                let buffer = self?.state.withLock { $0.streams.removeValue(forKey: number) }
                withExtendedLifetime(buffer) {}
            }
            state.streams[number] = buffer
            return buffer
        }
        return buffer.stream
    }

    /// Waits until the queue is empty. Returns at once when it is, and as soon as the task is cancelled.
    ///
    /// Requests in a queue that has not been started are waited for. The delegate may not have been told of the last ones yet; ``run()``
    /// waits for that, too.
    public func waitUntilEmpty() async {
        await requestQueue.waitUntilEmpty()
    }

    /// Waits until the queue has drained and the delegate has been told. Returns at once when the queue was not started.
    ///
    /// On the main thread it runs the run loop, so that callbacks on the main queue arrive. In the delegate's queue it
    /// makes the callbacks itself. Inside a callback it waits for everything but the operation that the callback is about;
    /// the drain is reported after the callback has returned.
    ///
    /// It blocks its thread, and the threads of async code are few: there use ``run()`` or ``waitUntilEmpty()``.
    @available(*, noasync, message: "Use run() or waitUntilEmpty(): this would block a thread that other tasks need.")
    public func waitUntilFinished() {
        if relay.mustDeliver {
            deliverUntilFinished()
            return
        }
        let semaphore = DispatchSemaphore(value: 0)
        let mustWait = state.withLock { state in
            // While a drain is being reported, the delegate has not been told.
            let mustWait = state.isRunning || state.reportCount > 0
            if mustWait { state.drainWaiters.append { _ in semaphore.signal() } }
            return mustWait
        }
        if mustWait { MainRunLoop.wait(for: semaphore) }
    }

    private func deliverUntilFinished() {
        let isInCallback = relay.isInCallback
        let generation = state.withLock { $0.generation }
        relay.deliver(to: self) {
            state.withLock { state in
                guard state.generation == generation else { return true }
                return isInCallback
                    ? state.outstandingCount <= state.inCallbackCount || !state.isStarted
                    : !state.isRunning && state.reportCount == 0
            }
        }
    }

    /// Tells those who wait that the queue has drained.
    func endWait(for drain: Drain, _ generation: Int) {
        let lateWaiters = state.withLock { state -> [@Sendable (Summary) -> Void] in
            guard state.generation == generation else { return [] }
            state.reportCount -= 1
            // Those who came during the report wait for work that was added meanwhile, if there is any.
            guard state.reportCount == 0, !state.isRunning else { return [] }
            defer { state.drainWaiters = [] }
            return state.drainWaiters
        }
        for stream in drain.streams where !stream.isAcrossRuns { stream.finish() }
        for waiter in drain.waiters + lateWaiters { waiter(drain.summary) }
    }

    /// Tells those who waited for the batch that `reset()` has thrown away.
    func abandonWaiters(of old: State) {
        var old = old
        let now = timekeeper.now
        let summary = old.summary(of: old.ledger.snapshot(now: now), now: now)
        for stream in old.streams.values where !stream.isAcrossRuns { stream.finish() }
        for waiter in old.drainWaiters { waiter(summary) }
    }
}
