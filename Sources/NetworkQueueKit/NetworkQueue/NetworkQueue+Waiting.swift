import Dispatch
import Foundation

extension NetworkQueue {
    /// Starts the queue and waits until it has drained and the delegate has been told.
    ///
    /// The summary covers everything added since the queue last drained. If all of that has already ended and nobody
    /// has awaited it, its summary is returned at once.
    ///
    /// Canceling the task cancels all operations; the summary then counts them as canceled. A `reset()` ends the wait
    /// with the counts up to that moment.
    @discardableResult
    public func run() async -> Summary {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                awaitSummary(Batch.DrainWaiter { continuation.resume(returning: $0) })
            }
        } onCancel: {
            cancelAll()
        }
    }

    /// Starts the queue and keeps it from draining before `body` returns. Waits until the queue has drained and the
    /// delegate has been told.
    ///
    /// Use this for requests that become known one after another. Whatever `body` adds, and however long it waits in
    /// between, belongs to one run, with one progress and one summary.
    ///
    /// ```swift
    /// let summary = await queue.run {
    ///     for await url in urls { queue.add(url) }
    /// }
    /// ```
    ///
    /// Canceling the task cancels the operations added so far; `body` must check for cancellation itself. An error
    /// thrown by `body` also cancels them, and is rethrown after the drain. A `reset()` ends the wait once `body` has
    /// returned, with the counts up to the reset.
    @discardableResult
    public func run<Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Void
    ) async throws(Failure) -> Summary {
        let drain = Handover<Summary>()
        let sender = drain.makeSender()
        let generation = loop.access { $0.deferDrain() }
        let (result, summary) = await withTaskCancellationHandler {
            awaitSummary(Batch.DrainWaiter { sender.send($0) })
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
        guard let summary else { preconditionFailure("A queue dropped callers that wait for it to drain.") }
        return summary
    }

    /// Starts the queue, adds requests as they are needed, and waits until the queue has drained and the delegate has
    /// been told.
    ///
    /// Use this for lists that are too long for memory or are still being produced. The queue reads a few hundred
    /// requests ahead of those that have started, so that it can request sizes: for the first of them before any
    /// transfer starts, for the others meanwhile. It stops reading while as many ended operations have not been
    /// reported to the delegate. Equal requests are sized separately.
    ///
    /// ```swift
    /// let requests = lines.compactMap { URL(webAddress: $0).map { NetworkRequest($0) } }
    /// let summary = try await queue.run(adding: requests, expectedCount: 20_000)
    /// ```
    ///
    /// If the sequence throws, the requests already read run to their end, and then the error is thrown. A failure that
    /// cancels the other operations (``cancelsAllOnFailure``), a ``reset()`` and a cancellation of the task also end
    /// the reading, at the next element at the latest. After ``cancelAll()``, which cancels what has been read, the
    /// reading continues.
    ///
    /// - Parameters:
    ///   - requests: the requests, in order.
    ///   - expectedCount: the number of requests to expect, as in ``expectRequests(_:)``. With `nil`, the default,
    ///     progress covers what has been read and what was expected before.
    ///   - isolation: the actor on which `requests` is read. Default: the caller's.
    @discardableResult
    public func run<Failure: Error>(
        adding requests: some AsyncSequence<NetworkRequest, Failure> & Sendable, expectedCount: Int? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(Failure) -> Summary {
        let key = loop.access { $0.beginReading() }
        var result = Result<Void, Failure>.success(())
        let summary = await run {
            modify { batch, _, _ in if batch.mayRead(key) { batch.ledger.expectUnread(max(expectedCount ?? 0, 0)) } }
            do throws(Failure) {
                var iterator = requests.makeAsyncIterator()
                while await waitForRoom(key), let request = try await iterator.next(isolation: isolation) {
                    guard add(read: request, key) else { break }
                }
            } catch {
                result = .failure(error)
            }
            modify { batch, now, effects in batch.endReading(key, now: now, into: &effects) }
        }
        try result.get()
        return summary
    }

    /// Announces that ``run(adding:expectedCount:isolation:)`` will read `count` more requests. It may be called while
    /// a list is being read, as the list's length becomes known.
    ///
    /// In the progress they count as waiting, each with the mean of the known sizes. When the last list ends or its
    /// reading stops, and after a ``reset()``, unread requests are no longer expected. A count below 1 has no effect.
    public func expectRequests(_ count: Int) {
        modify { batch, now, _ in
            batch.ledger.expectUnread(max(count, 0))
            batch.scheduleUpdate(now: now)
        }
    }

    /// Waits until there is room for another request; returns `false` if reading must stop.
    private func waitForRoom(_ key: ReadingKey) async -> Bool {
        if loop.access({ !$0.hasRoom(upTo: $0.readAheadCount) }) {
            await stateWaiters.wait { [loop] in
                loop.access { $0.mustWakeReader(key) }
            }
        }
        return loop.access { $0.mayRead(key) } && !Task.isCancelled
    }

    /// Adds a request that was read, unless reading was stopped meanwhile; returns whether it was added.
    private func add(read request: NetworkRequest, _ key: ReadingKey) -> Bool {
        guard !Task.isCancelled else { return false }
        let operation = RequestOperation(request)
        // In one change, so that no request is added after a failure that cancels all.
        let isAdded = add(operation, if: { $0.mayRead(key) }) { batch, now, effects in
            if batch.ledger.unreadCount > 0 { batch.ledger.expectUnread(-1) }
            batch.noteRead(operation, now: now, into: &effects)
        }
        // The task may have been canceled, and with it all operations, just before this one was added.
        if Task.isCancelled { operation.cancel() }
        return isAdded
    }

    /// Returns a stream of all events from now on. There may be any number of streams, and each gets every event.
    ///
    /// Events wait in memory until they are read; of unread progress updates, only the newest of each run and of each
    /// operation is kept. A stream with more than 16,384 other unread events ends after those. Ending a stream, or the
    /// task that reads it, does not affect the queue.
    ///
    /// - Parameter acrossRuns: whether the stream continues after the drain and after ``reset()``, until the queue is
    ///   released. Default `false`: the stream ends with the drain.
    public func events(acrossRuns: Bool = false) -> AsyncStream<Event> {
        let buffer = EventBuffer(isAcrossRuns: acrossRuns) { [weak self] buffer in
            self?.loop.access { $0.receivers.remove(buffer) }
        }
        loop.access { $0.receivers.add(buffer) }
        return buffer.stream
    }

    /// Waits until the queue is empty, the last callback about an operation has returned and files have been flushed to
    /// the disk. Returns immediately if that is already so, and as soon as the task is canceled.
    ///
    /// A queue that has not been started but contains requests is not empty. The delegate may not have been told of the
    /// drain yet; ``run()`` waits for that too.
    public func waitUntilEmpty() async {
        await waitUntilCoreIsEmpty()
    }

    /// Blocks the thread until the queue has drained and the delegate has been told. Returns immediately if the queue
    /// has not been started.
    ///
    /// On the main thread it runs the run loop, so that callbacks on the main queue arrive. It traps if it would
    /// wait forever: inside a callback, and in a block of the delegate's queue if no callback can run there for a
    /// second.
    ///
    /// In async code, which runs on a small number of threads, use ``run()`` or ``waitUntilEmpty()`` instead.
    @available(*, noasync, message: "This blocks a thread that other tasks need; use run() or waitUntilEmpty().")
    public func waitUntilFinished() {
        let semaphore = DispatchSemaphore(value: 0)
        let waiter = Batch.DrainWaiter(takesSummary: false) { _ in semaphore.signal() }
        if loop.access({ $0.awaitDrain(waiter) }) {
            handle.callbacks.wait(for: semaphore, in: "NetworkQueue.waitUntilFinished()")
        }
    }

    /// Whether an earlier change still has effects to perform.
    package var isPerformingEffects: Bool { loop.isPerforming }
    /// Whether everything has ended, and the drain waits until files have been flushed to the disk.
    package var isFlushing: Bool { loop.access { $0.isFlushing } }
    /// All bytes that have crossed the network in this run, including those of failed attempts.
    package var bytesMoved: Int64 { loop.access { $0.ledger.moved } }
    /// The number of announced requests that have not been read.
    package var unreadCount: Int { loop.access { $0.ledger.unreadCount } }
    /// Whether callbacks have been posted and not made.
    package var hasCallbacks: Bool { handle.callbacks.hasCalls }

    /// Calls `waiter` with the summary. Starts the queue unless an unawaited summary is available.
    private func awaitSummary(_ waiter: Batch.DrainWaiter) {
        let plan = makePlan()
        modify { batch, now, effects in
            if batch.takeSummary(waiter, into: &effects) { return }
            batch.drains.waiters.append(waiter)
            batch.go(plan, now: now, into: &effects)
        }
    }
}

extension Batch {
    /// Calls `waiter` with the summary of an ended run that nobody has awaited, once its drain has been reported.
    /// Returns `false` if there is no such run.
    mutating func takeSummary(_ waiter: DrainWaiter, into effects: inout [Effect]) -> Bool {
        guard phase == .drained, !isRunning, let summary = drains.unawaitedSummary.take() else { return false }
        if drains.isBeingTold {
            drains.takers.append(DrainWaiter { _ in waiter.resume(summary) })
        } else {
            effects.append(.own(.resume([waiter], summary)))
        }
        return true
    }

    /// Calls `waiter` once the coming drain has been reported. Returns `false` if no drain is coming.
    mutating func awaitDrain(_ waiter: DrainWaiter) -> Bool {
        // The delegate may not yet know of a drain that is being reported.
        guard isRunning || drains.isBeingTold else { return false }
        drains.waiters.append(waiter)
        return true
    }
}
