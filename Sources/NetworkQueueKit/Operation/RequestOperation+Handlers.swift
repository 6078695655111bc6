import Foundation

extension RequestOperation {
    /// Called once at the end with the head, the data and the error, as far as there are any.
    ///
    /// After a cancellation the error is `.cancelled`. A response whose status the validation rejects is an error that
    /// still carries the head and the first 64 KiB of the content.
    public typealias CompletionHandler = @Sendable (ResponseHead?, Data?, NetworkError?) -> Void

    /// Called as bytes go by: the fraction done in 0...1, the bytes so far, and how many there will be, `nil` where
    /// that is not known. Calls are coalesced: there are 250 a second at most, by the clock of the queue.
    public typealias ProgressHandler =
        @Sendable (_ progress: Double?, _ bytesTransferred: Int64, _ totalBytes: Int64?) -> Void

    /// Called once at the end, on the `callbackQueue` of the `RequestQueue` or the `delegateQueue` of the
    /// `NetworkQueue`.
    public var completionHandler: CompletionHandler? {
        get { state.withLock { $0.handlers?.completion } }
        set {
            var handler = newValue
            withHandlers { swap(&$0.completion, &handler) }
        }
    }

    /// Called as content is sent, on the same queue as the completion handler and never after it.
    public var uploadProgressHandler: ProgressHandler? {
        get { state.withLock { $0.handlers?.upload } }
        set {
            var handler = newValue
            withHandlers { swap(&$0.upload, &handler) }
        }
    }

    /// Called as content is received, on the same queue as the completion handler and never after it.
    public var downloadProgressHandler: ProgressHandler? {
        get { state.withLock { $0.handlers?.download } }
        set {
            var handler = newValue
            withHandlers { swap(&$0.download, &handler) }
        }
    }

    /// - Parameter body: Called under the lock. It lets go of nothing there: a handler may own anything.
    private func withHandlers(_ body: (Handlers) -> Void) {
        // First: who does not see it yet comes before the handler is there.
        hasHandlers.store(true, ordering: .releasing)
        state.withLock { state in
            let handlers = state.handlers ?? Handlers()
            body(handlers)
            state.handlers = handlers
        }
    }

    // MARK: For the queues and the pipeline

    /// Notes an event for the progress handlers; returns whether a report has to be scheduled for it.
    func noteProgress(_ event: RequestEvent) -> Bool {
        switch event {
        case .didSend(let totalBytes, let length): noteProgress(.upload, bytes: totalBytes, total: length)
        case .didReceive(_, let total, let expected): noteProgress(.download, bytes: total, total: expected)
        default: false
        }
    }

    private func noteProgress(_ direction: Direction, bytes: Int64, total: Int64?) -> Bool {
        guard hasHandlers.load(ordering: .acquiring) else { return false }
        return state.withLock { state in
            guard let handlers = state.handlers, handlers.upload != nil || handlers.download != nil else {
                return false
            }
            let count = TransferCount(bytes: bytes, total: total, hasChanged: true)
            switch direction {
            case .upload: handlers.uploaded = count
            case .download: handlers.downloaded = count
            }
            defer { handlers.isReportPending = true }
            return !handlers.isReportPending
        }
    }

    /// Calls the progress handlers with the latest counts.
    func reportProgress() {
        let calls = state.withLock { state -> [(ProgressHandler, TransferCount)] in
            guard let handlers = state.handlers else { return [] }
            handlers.isReportPending = false
            defer {
                handlers.uploaded.hasChanged = false
                handlers.downloaded.hasChanged = false
            }
            return [(handlers.upload, handlers.uploaded), (handlers.download, handlers.downloaded)].compactMap {
                guard let handler = $0, $1.hasChanged else { return nil }
                return (handler, $1)
            }
        }
        for (handler, count) in calls {
            let fraction = count.total.flatMap { $0 > 0 ? min(Double(count.bytes) / Double($0), 1) : nil }
            handler(fraction, count.bytes, count.total)
        }
    }

    /// Calls the handlers for the last time and lets go of them.
    func reportCompletion() {
        guard hasHandlers.load(ordering: .acquiring) else { return }
        reportProgress()
        // All are let go of outside the lock, as a handler may own anything.
        let handlers = state.withLock { $0.takeHandlers() }
        guard let completion = handlers.completion else { return }
        let result = finalResult
        completion(result?.head, result?.data, result?.error)
    }

    /// Lets go of the handlers without calling them, when the operation is not to be reported any more.
    func forgetHandlers() {
        let handlers = state.withLock { $0.takeHandlers() }
        withExtendedLifetime(handlers) {}
    }
}

extension RequestOperation.State {
    fileprivate typealias UserHandlers = (
        completion: RequestOperation.CompletionHandler?, progress: [RequestOperation.ProgressHandler?]
    )

    /// Takes the user's handlers away, to be let go of outside the lock. Threads may still wait for the operation.
    fileprivate mutating func takeHandlers() -> UserHandlers {
        guard let handlers else { return (nil, []) }
        defer {
            handlers.forget()
            if handlers.finishWaiters.isEmpty { self.handlers = nil }
        }
        return (handlers.completion, [handlers.upload, handlers.download])
    }
}
