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

    /// Starts the queue, and keeps it from draining before `body` has returned; returns when the delegate has been told
    /// of the drain.
    ///
    /// For requests that become known one after the other: whatever `body` adds, and however long it waits in between,
    /// belongs to one run, with one progress and one summary.
    ///
    ///     let summary = await queue.run {
    ///         for await url in urls { queue.add(url) }
    ///     }
    ///
    /// Cancelling the task cancels the operations that are there; `body` has to see for itself that its task is
    /// cancelled. An error of `body` cancels them, too, and is thrown after the drain. A `reset()` meanwhile ends the
    /// wait when `body` has returned, with what had been counted until then.
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

    /// Starts the queue, adds requests as they are needed, and waits for the drain; returns when the delegate has been
    /// told.
    ///
    /// For lists that are too long for memory, or are still being made. A few hundred requests are read ahead of those
    /// that have started, so that sizes can be asked for: of the first of them before any starts, of the others
    /// meanwhile. None is read while the delegate has still to be told of as many that have ended. Equal requests are
    /// asked for each on its own.
    ///
    ///     let requests = lines.compactMap { URL(webAddress: $0).map { NetworkRequest($0) } }
    ///     let summary = try await queue.run(adding: requests, expectedCount: 20_000)
    ///
    /// Where the sequence throws, what has been read runs to its end; then the error is thrown. A failure that cancels
    /// the other operations (``cancelsAllOnFailure``), a ``reset()`` and the end of the task also end the reading, with
    /// the next element at the latest; ``cancelAll()`` cancels what has been read, and the reading goes on.
    ///
    /// - Parameters:
    ///   - requests: the requests, in their order.
    ///   - expectedCount: how many there will be, as ``expectRequests(_:)`` has it. `nil`, the default: the progress is
    ///     one of what has been read, and of what was expected before.
    @discardableResult
    public func run<Failure: Error>(
        adding requests: some AsyncSequence<NetworkRequest, Failure> & Sendable, expectedCount: Int? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(Failure) -> Summary {
        let key = loop.access { $0.beginReading() }
        var result = Result<Void, Failure>.success(())
        let summary = await run {
            modify { batch, _ in if batch.mayRead(key) { batch.ledger.expectUnread(max(expectedCount ?? 0, 0)) } }
            do throws(Failure) {
                var iterator = requests.makeAsyncIterator()
                while await waitForRoom(key), let request = try await iterator.next(isolation: isolation) {
                    guard add(read: request, key) else { break }
                }
            } catch {
                result = .failure(error)
            }
            modify { batch, effects in batch.endReading(key, now: timekeeper.now, into: &effects) }
        }
        try result.get()
        return summary
    }

    /// Says that so many more requests will be read by ``run(adding:expectedCount:isolation:)``, also of a list that is
    /// being read: its length may become known bit by bit.
    ///
    /// In the progress they count as waiting, each with the mean of the sizes that are known. Those that have not been
    /// read when the last list ends, or is not read on, are expected no more; nor are any after a ``reset()``. A count
    /// below 1 changes nothing.
    public func expectRequests(_ count: Int) {
        modify { batch, effects in
            batch.ledger.expectUnread(max(count, 0))
            batch.scheduleUpdate(now: timekeeper.now)
        }
    }

    /// Waits until another request is to be read; returns `false` where none is to be read any more.
    private func waitForRoom(_ key: ReadingKey) async -> Bool {
        if loop.access({ !$0.hasRoom(upTo: $0.readAheadCount) }) {
            await stateWaiters.wait { [loop] in
                // Not for each that starts: the task would be woken for one request at a time.
                loop.access { $0.hasRoom(upTo: $0.readAheadCount / 2 + 1) || !$0.mayRead(key) }
            }
        }
        return loop.access { $0.mayRead(key) } && !Task.isCancelled
    }

    /// Adds a request that was read, unless reading has been called off meanwhile; returns whether it was added.
    private func add(read request: NetworkRequest, _ key: ReadingKey) -> Bool {
        guard !Task.isCancelled else { return false }
        let operation = RequestOperation(request)
        // In one change: what a failure has just cancelled is not to go on with the next request.
        return add(operation, if: { $0.mayRead(key) }) { batch, now, effects in
            if batch.ledger.unreadCount > 0 { batch.ledger.expectUnread(-1) }
            batch.noteRead(operation, now: now, into: &effects)
        }
    }

    /// Everything that the delegate is told from now on. Any number of listeners may do so, and each gets all of it.
    ///
    /// Events wait in memory until they are taken; of progress updates that have not been taken only the newest is
    /// kept. A stream with more than 16,384 other events unread ends behind these. Ending a stream, or its task, has no
    /// effect on the queue.
    ///
    /// - Parameter acrossRuns: whether the stream goes on after the drain and after ``reset()``, until the queue is let
    ///   go. Default `false`: it ends with the drain.
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

    /// Waits until the queue is empty and the last callback about an operation has returned. Returns at once when that
    /// is so, and as soon as the task is cancelled.
    ///
    /// Requests in a queue that has not been started are waited for. The delegate may not have been told of the drain
    /// yet; ``run()`` waits for that, too.
    public func waitUntilEmpty() async {
        await waitUntilCoreIsEmpty()
    }

    /// Waits until the queue has drained and the delegate has been told. Returns at once when the queue was not
    /// started.
    ///
    /// On the main thread it runs the run loop, so that callbacks on the main queue arrive. It traps where it would
    /// wait without an end: inside a callback, and in a block of the delegate's queue, if no callback can be made there
    /// for a second.
    ///
    /// It blocks its thread, and the threads of async code are few: there use ``run()`` or ``waitUntilEmpty()``.
    @available(*, noasync, message: "Use run() or waitUntilEmpty(): this would block a thread that other tasks need.")
    public func waitUntilFinished() {
        let semaphore = DispatchSemaphore(value: 0)
        if loop.access({ $0.awaitDrain { _ in semaphore.signal() } }) {
            handle.callbacks.wait(for: semaphore, in: "NetworkQueue.waitUntilFinished()")
        }
    }

    /// Whether something that has happened has not had all its effects yet.
    package var isPerformingEffects: Bool { loop.isPerforming }

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
