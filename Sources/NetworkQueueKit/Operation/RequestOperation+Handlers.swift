import Foundation

extension RequestOperation {
    /// A closure called once at the end, with the head, the data and the error, as far as there are any.
    ///
    /// After a cancellation the error is `.cancelled`. If the validation rejects the status of a response, there is an
    /// error, but also the head and the first 64 KiB of the content.
    public typealias CompletionHandler = @Sendable (ResponseHead?, Data?, NetworkError?) -> Void

    /// A closure called as bytes are transferred, with the fraction done (0 to 1), the bytes so far and the total
    /// number of bytes. Fraction and total are `nil` while unknown. Calls are coalesced to at most 250 a second, by the
    /// clock of the queue.
    public typealias ProgressHandler =
        @Sendable (_ progress: Double?, _ bytesTransferred: Int64, _ totalBytes: Int64?) -> Void

    /// A closure called when credentials are needed; see ``challengeHandler``.
    public typealias ChallengeHandler = @Sendable (AuthenticationChallenge) async -> URLCredential?

    /// A closure called for a redirect; see ``redirectHandler``.
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

    /// Called as content is sent, on the same queue as the completion handler, and never after it.
    public var uploadProgressHandler: ProgressHandler? {
        get { state.withLock { $0.handlers?.user.upload } }
        set {
            var handler = newValue
            withHandlers { swap(&$0.upload, &handler) }
        }
    }

    /// Called as content is received, on the same queue as the completion handler, and never after it.
    public var downloadProgressHandler: ProgressHandler? {
        get { state.withLock { $0.handlers?.user.download } }
        set {
            var handler = newValue
            withHandlers { swap(&$0.download, &handler) }
        }
    }

    /// Answers a server or a proxy that requires credentials. With `nil`, the 401 or 407 is the response. In a
    /// ``NetworkQueue`` it is called if there is no delegate or the delegate has no credential.
    ///
    /// An answer counts for all requests of the queue to the same protection space. Called in a task of its own, once
    /// for each refusal.
    public var challengeHandler: ChallengeHandler? {
        get { state.withLock { $0.handlers?.user.challenge } }
        set {
            var handler = newValue
            withHandlers { swap(&$0.challenge, &handler) }
        }
    }

    /// Decides about a redirect. Return the given request or another one to follow it, or `nil` to make the redirect
    /// the response. In a ``NetworkQueue`` it is called if there is no delegate or the delegate follows the redirect.
    ///
    /// Called in a task of its own, for each redirect that the ``RedirectPolicy`` allows.
    /// ``NetworkQueueDelegate/networkQueue(_:willRedirect:to:)`` describes the request.
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

    /// - Parameter body: called under the lock. It must not release a handler, which may own anything.
    private func withHandlers(_ body: (inout UserHandlers) -> Void) {
        // First: a thread that does not see it yet runs before the handler is set.
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

    /// Calls the handlers for the last time and releases them.
    func reportCompletion() {
        guard hasHandlers.load(ordering: .acquiring) else { return }
        reportProgress()
        // Outside the lock: a handler may own anything.
        let handlers = state.withLock { $0.takeHandlers() }
        guard let completion = handlers.completion else { return }
        let result = finalResult
        completion(result?.head, result?.data, result?.error)
    }

    /// Releases the handlers of an operation that is not reported, without calling them.
    func forgetHandlers() {
        let handlers = state.withLock { $0.takeHandlers() }
        withExtendedLifetime(handlers) {}
    }
}

extension RequestOperation.State {
    /// Removes the user's handlers, to be released outside the lock. Threads may still wait for the operation.
    fileprivate mutating func takeHandlers() -> RequestOperation.UserHandlers {
        guard let handlers else { return RequestOperation.UserHandlers() }
        defer {
            handlers.user = RequestOperation.UserHandlers()
            let isUnused = handlers.finishWaiters.isEmpty && handlers.mirror == nil && handlers.freshURL == nil
            if isUnused { self.handlers = nil }
        }
        return handlers.user
    }
}

/// The questions that the pipeline and the queues ask the handlers.
extension RequestOperation {
    /// Asks the handler, if there is one, about a redirect to `request`.
    func askHandler(aboutRedirectTo request: URLRequest, _ answer: @escaping @Sendable (URLRequest?) -> Void) {
        guard let handler = redirectHandler else { return answer(request) }
        Task { answer(await handler(request)) }
    }

    /// Asks the handler, if there is one, to answer a challenge.
    func askHandler(
        about challenge: AuthenticationChallenge, _ answer: @escaping @Sendable (URLCredential?) -> Void
    ) {
        guard let handler = challengeHandler else { return answer(nil) }
        Task { answer(await handler(challenge)) }
    }
}
