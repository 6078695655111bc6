import Dispatch
import Foundation

/// Ends the operation. `isFinished` turns true after the callbacks.
extension RequestOperation {
    /// Ends the operation, through its queue if it has one.
    func end(with result: RequestResult) {
        // Without a lock: this calls observers of Foundation's properties.
        let wasExecuting = Self.hasObservers && isExecuting
        if wasExecuting { willChangeValue(forKey: "isExecuting") }
        defer { if wasExecuting { didChangeValue(forKey: "isExecuting") } }
        helped?.end(self, result.error)
        if let queue { return queue.end(self, with: result) }
        endStandalone()
        guard let end = conclude(result) else { return }
        end.settle()
        reportEnd()
    }

    /// Calls the handlers at the end of an operation that is in no queue.
    func reportEnd() {
        guard hasHandlers.load(ordering: .acquiring) else { return finish() }
        callbacks.post { [self] in
            reportCompletion()
            finish()
            return 1
        }
    }

    /// Ends the operation. Returns what is left to do, or `nil` if it had already ended. A queue calls this under its
    /// lock.
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
            // An attempt that has begun need not have been sent.
            state.attempts = UInt32(clamping: result.attempts)
            // Only if there is a duration: changing a shared result would copy it.
            if state.sizingMicroseconds > 0, result.metrics != nil {
                result.metrics?.sizingDuration = .microseconds(Int64(state.sizingMicroseconds))
            }
            // Not at a mirror, to which no HEAD was sent.
            if state.hasSizedHead, let error = result.error, error.formerFailures.isEmpty,
                NetworkError.mayComeFromHead.contains(error.code), error.response?.head.isQuotaRefusal != true
            {
                result.error?.mayComeFromHead = true
            }
            state.answer = .result(result)
            defer { state.run = nil }
            return End(
                operation: self, run: state.run, meter: state.meter, waiters: state.handlers?.takeWaiters() ?? [],
                leavesDependencies: state.hasDependencies && (result.isCancellation || state.run == nil))
        }
    }

    /// The rest of the work when an operation has ended, to be done without a lock.
    struct End: Sendable {
        let operation: RequestOperation
        /// Refers back to the operation.
        fileprivate let run: RequestRun?
        fileprivate let meter: Meter?
        fileprivate let waiters: [@Sendable (Result<Response, NetworkError>) -> Void]
        fileprivate let leavesDependencies: Bool

        /// Passes the result to its waiters.
        func settle() {
            RequestOperation.running.report()
            if leavesDependencies { operation.leaveDependencies() }
            if let meter { operation.endProgress(meter) }
            guard !waiters.isEmpty, let result = operation.result else { return }
            for waiter in waiters { waiter(result) }
        }
    }

    // MARK: The result

    /// The result of the operation; `nil` before its end.
    var finalResult: RequestResult? { state.withLock { $0.answer.result }.map { completed($0) } }

    /// Adds what is missing to the error of a result of this operation.
    ///
    /// Cancellations are completed here, when they are read, and not at the end: operations canceled together share
    /// one result, and most of their errors are never read. An error thrown by a hook may be about another operation.
    func completed(_ result: RequestResult) -> RequestResult {
        guard let error = result.error, error.operationID != id else { return result }
        var result = result
        result.error = error.completed(id: id, attempts: result.attempts, request: request, response: result.response)
        return result
    }

    /// Releases the response content of the operation's error. Called once a run has very many failures.
    func dropBody() {
        state.withLock { state in
            guard case .result(var result) = state.answer else { return }
            result.dropBody()
            state.answer = .result(result)
        }
    }

    // MARK: Sizes

    /// Records how long sizing took.
    func setSizingDuration(_ duration: Duration) {
        state.withLock { $0.sizingMicroseconds = UInt32(clamping: Int64(duration.seconds * 1_000_000)) }
    }

    /// The head from sizing, if it can show whether an existing file is current or whether a download is complete.
    var sizedHead: ResponseHead? { request.destination.isFile ? state.withLock { $0.handlers?.sizedHead } : nil }

    /// Records the head of a successful size probe.
    func noteSized(_ head: ResponseHead) {
        state.withLock { state in
            state.hasSizedHead = true
            // Most heads are useless if no file can be kept, and many operations may wait.
            guard request.destination.mayKeepFile || request.destination.isFile && AnnouncedContent(head) != nil
            else { return }
            let handlers = state.handlers ?? Handlers()
            handlers.sizedHead = head
            state.handlers = handlers
        }
    }

    // MARK: Finished

    /// Makes an ended operation finished: no callback about it is still to come. Only the first call has an effect.
    func finish() {
        guard !isFinished else { return }
        if Self.hasObservers {
            // Observers must be notified once.
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

    /// Finishes the operation without calling its handlers.
    func finishUnreported() {
        forgetHandlers()
        finish()
    }

    func waitForFinish() {
        let semaphore = DispatchSemaphore(value: 0)
        let mustWait = state.withLock { state in
            guard !isFinished else { return false }
            let handlers = state.handlers ?? Handlers()
            handlers.finishWaiters.append(semaphore)
            state.handlers = handlers
            return true
        }
        // Not through the queue, which the wait must not keep alive: a queue that is released cancels what it has not
        // started.
        if mustWait { callbacks.wait(for: semaphore, in: "RequestOperation.waitUntilFinished()") }
    }
}

extension RequestOperation: QueueElement {
    var equivalenceHash: UInt32 { request.equivalenceHash }

    var knownSize: Int64? {
        guard let account = batchEntry?.account else { return request.knownSize }
        if request.hasBody { return account.uploadSize.bytes }
        let isEstimate = request.expectedDownloadSize == nil && account.downloadSize == request.estimatedDownloadSize
        return isEstimate ? nil : account.downloadSize
    }
}

extension NetworkRequest {
    /// The size for an order by size, as far as the request alone tells it. May query the file system.
    var knownSize: Int64? {
        if hasBody { return currentBodyLength }
        return method == "HEAD" ? 0 : expectedDownloadSize
    }
}
