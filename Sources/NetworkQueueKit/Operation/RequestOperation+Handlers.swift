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

    /// Called when credentials are needed, see ``challengeHandler``.
    public typealias ChallengeHandler = @Sendable (AuthenticationChallenge) async -> URLCredential?

    /// Called when a response leads elsewhere, see ``redirectHandler``.
    public typealias RedirectHandler = @Sendable (URLRequest) async -> URLRequest?

    /// Called once at the end, on the `callbackQueue` of the `RequestQueue` or the `delegateQueue` of the
    /// `NetworkQueue`.
    public var completionHandler: CompletionHandler? {
        get { state.withLock { $0.handlers?.user.completion } }
        set {
            var handler = newValue
            withHandlers { swap(&$0.completion, &handler) }
        }
    }

    /// Called as content is sent, on the same queue as the completion handler and never after it.
    public var uploadProgressHandler: ProgressHandler? {
        get { state.withLock { $0.handlers?.user.upload } }
        set {
            var handler = newValue
            withHandlers { swap(&$0.upload, &handler) }
        }
    }

    /// Called as content is received, on the same queue as the completion handler and never after it.
    public var downloadProgressHandler: ProgressHandler? {
        get { state.withLock { $0.handlers?.user.download } }
        set {
            var handler = newValue
            withHandlers { swap(&$0.download, &handler) }
        }
    }

    /// Answers a server or a proxy that asks for credentials; `nil` means that there are none, and then the 401 or 407 is
    /// the response. It is asked after the delegate of a ``NetworkQueue``, if that has none.
    ///
    /// An answer counts for all requests of the queue to the same protection space. Called in a task of its own, once for
    /// each refusal.
    public var challengeHandler: ChallengeHandler? {
        get { state.withLock { $0.handlers?.user.challenge } }
        set {
            var handler = newValue
            withHandlers { swap(&$0.challenge, &handler) }
        }
    }

    /// Decides about a redirect: returns the request to follow it with, mostly the given one, or `nil` to take the
    /// redirect for the response. It is asked after the delegate of a ``NetworkQueue``, if that follows.
    ///
    /// Called in a task of its own for each redirect that the ``RedirectPolicy`` allows. See
    /// ``NetworkQueueDelegate/networkQueue(_:willRedirect:to:)`` for what the request has.
    public var redirectHandler: RedirectHandler? {
        get { state.withLock { $0.handlers?.user.redirect } }
        set {
            var handler = newValue
            withHandlers { swap(&$0.redirect, &handler) }
        }
    }

    func setHandlers(_ handlers: UserHandlers) {
        var handlers = handlers
        withHandlers { swap(&$0, &handlers) }
    }

    /// - Parameter body: Called under the lock. It lets go of nothing there: a handler may own anything.
    private func withHandlers(_ body: (inout UserHandlers) -> Void) {
        // First: who does not see it yet comes before the handler is there.
        hasHandlers.store(true, ordering: .releasing)
        state.withLock { state in
            let handlers = state.handlers ?? Handlers()
            body(&handlers.user)
            state.handlers = handlers
        }
    }

    // MARK: For the queues and the pipeline

    /// Calls the progress handlers with the latest counts.
    func reportProgress() {
        let calls = state.withLock { state -> [(ProgressHandler, TransferCount)] in
            guard let handlers = state.handlers else { return [] }
            handlers.isReportPending = false
            defer { (handlers.hasUploaded, handlers.hasDownloaded) = (false, false) }
            return [
                (handlers.hasUploaded ? handlers.user.upload : nil, state.sent),
                (handlers.hasDownloaded ? handlers.user.download : nil, state.received),
            ].compactMap { handler, count in handler.map { ($0, count) } }
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
    /// Takes the user's handlers away, to be let go of outside the lock. Threads may still wait for the operation.
    fileprivate mutating func takeHandlers() -> RequestOperation.UserHandlers {
        guard let handlers else { return RequestOperation.UserHandlers() }
        defer {
            handlers.user = RequestOperation.UserHandlers()
            if handlers.finishWaiters.isEmpty, handlers.mirror == nil { self.handlers = nil }
        }
        return handlers.user
    }
}

/// What the pipeline and the queues ask the handlers.
extension RequestOperation {
    /// Lets the handler, if there is one, decide about a redirect that is to be followed with `request`.
    func askHandler(aboutRedirectTo request: URLRequest, _ answer: @escaping @Sendable (URLRequest?) -> Void) {
        guard let handler = redirectHandler else { return answer(request) }
        Task { answer(await handler(request)) }
    }

    /// Lets the handler, if there is one, answer a challenge.
    func askHandler(
        about challenge: AuthenticationChallenge, _ answer: @escaping @Sendable (URLCredential?) -> Void
    ) {
        guard let handler = challengeHandler else { return answer(nil) }
        Task { answer(await handler(challenge)) }
    }
}
