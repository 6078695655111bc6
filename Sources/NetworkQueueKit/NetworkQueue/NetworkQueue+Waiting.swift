import Dispatch
import Foundation

extension NetworkQueue {
    /// Starts the queue and waits for the drain; returns when the delegate has been told.
    ///
    /// The summary is of what was added since the last one that anybody awaited, also if that has ended meanwhile.
    ///
    /// Cancelling the task cancels all operations; the summary then tells so. A `reset()` meanwhile ends the wait with
    /// what has been counted until then.
    @discardableResult
    public func run() async -> Summary {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                awaitSummary { continuation.resume(returning: $0) }
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
        let generation = loop.access { $0.deferDrain() }
        let (result, summary) = await withTaskCancellationHandler {
            awaitSummary { sender.send($0) }
            let result: Result<Void, Failure>
            do throws(Failure) {
                try await body()
                result = .success(())
            } catch {
                result = .failure(error)
                cancelAll()
            }
            releaseDrain(generation)
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
        let buffer = loop.access { batch in
            batch.receivers.addStream { number in
                EventBuffer(isAcrossRuns: acrossRuns) { [weak self] in
                    // What is let go of may come back here: not under the lock.
                    _ = self?.loop.access { $0.receivers.streams.removeValue(forKey: number) }
                }
            }
        }
        return buffer.stream
    }

    /// Waits until the queue is empty and the last callback about an operation has returned. Returns at once when that is so, and as soon as
    /// the task is cancelled.
    ///
    /// Requests in a queue that has not been started are waited for. The delegate may not have been told of the drain yet; ``run()``
    /// waits for that, too.
    public func waitUntilEmpty() async {
        await waitUntilCoreIsEmpty()
    }

    /// Waits until the queue has drained and the delegate has been told. Returns at once when the queue was not started.
    ///
    /// On the main thread it runs the run loop, so that callbacks on the main queue arrive. It traps where it would wait without an end:
    /// inside a callback, and in a block of the delegate's queue, if no callback can be made there for a second.
    ///
    /// It blocks its thread, and the threads of async code are few: there use ``run()`` or ``waitUntilEmpty()``.
    @available(*, noasync, message: "Use run() or waitUntilEmpty(): this would block a thread that other tasks need.")
    public func waitUntilFinished() {
        let semaphore = DispatchSemaphore(value: 0)
        if loop.access({ $0.awaitDrain { _ in semaphore.signal() } }) {
            handle.callbacks.wait(for: semaphore, in: "NetworkQueue.waitUntilFinished()")
        }
    }

    /// Has `waiter` called with the summary, and starts the queue if it is not there yet.
    private func awaitSummary(_ waiter: @escaping Batch.DrainWaiter) {
        let plan = makePlan()
        modify { batch, effects in
            if batch.takeSummary(waiter, into: &effects) { return }
            batch.drains.waiters.append(waiter)
            batch.go(plan, now: timekeeper.now, into: &effects)
        }
    }
}
