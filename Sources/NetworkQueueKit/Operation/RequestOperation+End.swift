import Dispatch
import Foundation

/// The end of the request, and `isFinished`, which comes after the callbacks.
extension RequestOperation {
    /// Ends the operation, by way of its queue if it has one.
    func end(with result: RequestResult) {
        // Observers of Foundation's properties are called, so under no lock.
        let wasExecuting = Self.hasObservers && isExecuting
        if wasExecuting { willChangeValue(forKey: "isExecuting") }
        defer { if wasExecuting { didChangeValue(forKey: "isExecuting") } }
        helped?.end(self, result.error)
        if let queue { return queue.end(self, with: result) }
        countStandalone(false)
        guard let end = conclude(result) else { return }
        end.settle()
        reportEnd()
    }

    /// Has the handlers told of the end where no queue does it.
    func reportEnd() {
        guard hasHandlers.load(ordering: .acquiring) else { return finish() }
        callbacks.post { [self] in
            reportCompletion()
            finish()
        }
    }

    /// Makes the operation ended; returns what is left to do, or `nil` if it had ended before. Called by its queue,
    /// under the queue's lock, or without one.
    func conclude(_ result: RequestResult) -> End? {
        var result = result
        if let error = result.error, !error.isCancellation {
            result.error = error.completed(
                id: id, attempts: result.attempts, request: request, response: result.response)
        }
        if result.endDate == nil { result.endDate = .now }
        return state.withLock { state in
            guard !state.status.isTerminal else { return nil }
            state.setStatus(Status(result.outcome))
            // What has begun need not have been sent.
            state.attempts = UInt32(clamping: result.attempts)
            // Not where there are none: a result that is shared would be copied.
            if state.sizingMicroseconds > 0, result.metrics != nil {
                result.metrics?.sizingDuration = .microseconds(Int64(state.sizingMicroseconds))
            }
            // Not at a mirror, which was not asked for the size.
            if state.hasSizedHead, let error = result.error, error.formerFailures.isEmpty,
                NetworkError.mayComeFromHead.contains(error.code)
            {
                result.error?.mayComeFromHead = true
            }
            state.answer = .result(result)
            defer { state.run = nil }
            return End(
                operation: self, run: state.run, meter: state.meter, waiters: state.handlers?.takeWaiters() ?? [],
                leavesDependencies: state.hasDependencies && result.isCancellation)
        }
    }

    /// What is left to do when an operation has ended, outside of any lock.
    struct End: Sendable {
        let operation: RequestOperation
        /// It refers back to the operation.
        fileprivate let run: RequestRun?
        fileprivate let meter: Meter?
        fileprivate let waiters: [@Sendable (Result<Response, NetworkError>) -> Void]
        fileprivate let leavesDependencies: Bool

        /// Tells those who wait for the result.
        func settle() {
            RequestOperation.running.report()
            if leavesDependencies { operation.leaveDependencies() }
            if let meter { operation.endProgress(meter) }
            guard !waiters.isEmpty, let result = operation.result else { return }
            for waiter in waiters { waiter(result) }
        }
    }

    // MARK: The result

    /// How the operation ended; `nil` before.
    var finalResult: RequestResult? { state.withLock { $0.answer.result }.map { completed($0) } }

    /// A result of this operation with what its error lacks about it.
    ///
    /// Cancellations are completed here, where they are read, and not at the end: operations that are cancelled
    /// together share one result, and most of their errors are never read. One that a hook has thrown may be about
    /// another operation.
    func completed(_ result: RequestResult) -> RequestResult {
        guard let error = result.error, error.operationID != id else { return result }
        var result = result
        result.error = error.completed(id: id, attempts: result.attempts, request: request, response: result.response)
        return result
    }

    func setResponseHead(_ head: ResponseHead) {
        state.withLock { $0.answer = .head(head) }
    }

    /// Lets go of the page of its failure, where very many have failed.
    func dropBody() {
        state.withLock { state in
            guard case .result(var result) = state.answer else { return }
            result.dropBody()
            state.answer = .result(result)
        }
    }

    // MARK: Sizes

    /// Notes how long the question for the size took.
    func setSizingDuration(_ duration: Duration) {
        state.withLock { $0.sizingMicroseconds = UInt32(clamping: Int64(duration.seconds * 1_000_000)) }
    }

    /// What the question for the size has told, where it tells whether a file that is there is current.
    var sizedHead: ResponseHead? { request.destination.mayKeepFile ? state.withLock { $0.handlers?.sizedHead } : nil }

    /// Notes that the question for the size was answered with success.
    func noteSized(_ head: ResponseHead) {
        state.withLock { state in
            state.hasSizedHead = true
            guard request.destination.mayKeepFile else { return }
            let handlers = state.handlers ?? Handlers()
            handlers.sizedHead = head
            state.handlers = handlers
        }
    }

    // MARK: Finished

    /// Makes the operation finished, which has ended: no callback about it is to come any more. Only the first call
    /// counts.
    func finish() {
        guard !isFinished else { return }
        if Self.hasObservers {
            // Observers must hear of it once.
            let isFirst = state.withLock { state in
                defer { state.isFinishing = true }
                return !state.isFinishing
            }
            guard isFirst else { return }
            willChangeValue(forKey: "isFinished")
        }
        defer { if Self.hasObservers { didChangeValue(forKey: "isFinished") } }
        let (isChange, waiters) = state.withLock { state in
            guard !hasFinished.exchange(true, ordering: .acquiringAndReleasing) else {
                return (false, [DispatchSemaphore]())
            }
            return (true, state.handlers?.takeFinishWaiters() ?? [])
        }
        guard isChange else { return }
        if !Self.hasObservers { didChangeValue(forKey: "isFinished") }
        for waiter in waiters { waiter.signal() }
    }

    /// Finishes the operation without its handlers being called.
    func finishUnreported() {
        forgetHandlers()
        finish()
    }

    /// Does what `waitUntilFinished()` says.
    func waitForFinish() {
        let semaphore = DispatchSemaphore(value: 0)
        let mustWait = state.withLock { state in
            guard !isFinished else { return false }
            let handlers = state.handlers ?? Handlers()
            handlers.finishWaiters.append(semaphore)
            state.handlers = handlers
            return true
        }
        // Not by way of the queue, which the wait is not to keep alive: one that is let go cancels what it has not
        // started.
        if mustWait { callbacks.wait(for: semaphore, in: "RequestOperation.waitUntilFinished()") }
    }
}

extension RequestOperation: QueueElement {
    var equivalenceHash: UInt32 { request.equivalenceHash }
}
