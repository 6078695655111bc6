import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Told what happens to an operation; the queue that it is in, in most cases.
///
/// Calls for one operation are serial, made on whatever thread it happens, under no lock, and must not block:
///
///     didStart → attempt → (willRetry → didRestart → attempt)* → willEnd? → didEnd
///     willEnd? → didEnd                                                        (never started)
///     attempt: willSend? / (willRedirectTo | didReceive challenge)* / didSend* / willReceive? / didReceive*,
///              and didReceiveHead for the final one
protocol OperationObserver: AnyObject, Sendable {
    func operationDidStart(_ operation: RequestOperation)
    /// The attempt has failed, and there will be another. `keepsLength` tells whether the length of its content holds for that, too.
    func operation(
        _ operation: RequestOperation, willRetryAfter delay: Duration, because error: NetworkError, keepsLength: Bool)
    /// The next attempt begins.
    func operationDidRestart(_ operation: RequestOperation)
    /// Content of this length is about to be sent.
    func operation(_ operation: RequestOperation, willSend length: Int64)
    /// The response leads to `target`; the run waits for `decide`, which may be called at once or later, on any thread.
    func operation(
        _ operation: RequestOperation, willRedirectTo target: HTTPExchange,
        decide: @escaping @Sendable (RedirectAnswer) -> Void)
    /// Whether there may be somebody who answers challenges. Else only credentials that are known already are used.
    var answersChallenges: Bool { get }
    /// Whether the queue's processors and its retry decider have a say. They know nothing of what the library asks for itself.
    var isUsersOwn: Bool { get }
    /// Somebody has to answer for all requests of this protection space. Answers given after the first count for nothing, and
    /// letting go of `answer` is one, too.
    func operation(
        _ operation: RequestOperation, didReceive challenge: AuthenticationChallenge,
        answer: @escaping @Sendable (URLCredential?) -> Void)
    /// Bytes of content sent so far, of the current attempt.
    func operation(_ operation: RequestOperation, didSend totalBytes: Int64)
    /// Content of this length follows, where that is known, behind `resumed` bytes that are there from before. With a
    /// `finalHead` it is `didReceiveHead` as well.
    func operation(
        _ operation: RequestOperation, willReceive length: Int64?, behind resumed: Int64, finalHead: ResponseHead?
    ) -> ExchangeDisposition
    /// The head of the final response; while there may be a retry, only after the content.
    /// `.stop` ends the operation here, as a success without the rest of the content.
    func operation(_ operation: RequestOperation, didReceive head: ResponseHead) -> ExchangeDisposition
    /// More bytes of content.
    func operation(_ operation: RequestOperation, didReceive byteCount: Int)
    /// There is something new for the progress handlers.
    func operationHasProgress(_ operation: RequestOperation)
    /// The operation is about to fail; returns the error that it ends with.
    func operation(_ operation: RequestOperation, willEndWith error: NetworkError) -> NetworkError
    /// The operation has ended with this.
    func operationDidEnd(_ operation: RequestOperation, with result: OperationResult)
}

extension OperationObserver {
    func operationDidStart(_ operation: RequestOperation) {}
    func operation(_ operation: RequestOperation, willSend length: Int64) {}
    func operation(_ operation: RequestOperation, didSend totalBytes: Int64) {}
    func operation(
        _ operation: RequestOperation, willRetryAfter delay: Duration, because error: NetworkError, keepsLength: Bool
    ) {}
    func operationDidRestart(_ operation: RequestOperation) {}
    func operation(
        _ operation: RequestOperation, willReceive length: Int64?, behind resumed: Int64, finalHead: ResponseHead?
    ) -> ExchangeDisposition {
        finalHead.map { self.operation(operation, didReceive: $0) } ?? .proceed
    }
    func operation(
        _ operation: RequestOperation, willRedirectTo target: HTTPExchange,
        decide: @escaping @Sendable (RedirectAnswer) -> Void
    ) {
        decide(.follow)
    }
    var answersChallenges: Bool { false }
    var isUsersOwn: Bool { true }
    func operation(
        _ operation: RequestOperation, didReceive challenge: AuthenticationChallenge,
        answer: @escaping @Sendable (URLCredential?) -> Void
    ) {
        answer(nil)
    }
    func operation(_ operation: RequestOperation, didReceive head: ResponseHead) -> ExchangeDisposition { .proceed }
    func operation(_ operation: RequestOperation, didReceive byteCount: Int) {}
    func operation(_ operation: RequestOperation, willEndWith error: NetworkError) -> NetworkError { error }

    /// Ends `operation`, unless it has ended before.
    func end(_ operation: RequestOperation, with result: consuming OperationResult) {
        if let error = result.error {
            result.error = self.operation(operation, willEndWith: error).completed(for: operation)
        }
        if operation.conclude(result) { operationDidEnd(operation, with: result) }
    }
}

extension NetworkError {
    /// The error with what it lacks about the operation.
    consuming func completed(for operation: RequestOperation) -> NetworkError {
        operationID = operation.id
        attempts = operation.attempts
        if url == nil, !operation.request.lacksURL { url = operation.request.url.withoutUserInformation }
        return self
    }
}
