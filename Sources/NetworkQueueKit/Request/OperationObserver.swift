/// Told what happens to an operation; the queue that it is in, in most cases.
///
/// Calls for one operation are serial, made on whatever thread it happens, under no lock, and must not block:
///
///     didStart → didSend* / didReceiveHead? / didReceive* → willEnd → didEnd
///     willEnd → didEnd                                                        (never started)
protocol OperationObserver: AnyObject, Sendable {
    func operationDidStart(_ operation: RequestOperation)
    /// Bytes of content sent so far, of the current attempt.
    func operation(_ operation: RequestOperation, didSend totalBytes: Int64)
    /// The head of the final response, with the length of the content that follows, where that is known.
    /// `.stop` ends the operation here, as a success without the rest of the content.
    func operation(
        _ operation: RequestOperation, didReceive head: ResponseHead, expecting length: Int64?
    ) -> ExchangeDisposition
    /// More bytes of content.
    func operation(_ operation: RequestOperation, didReceive byteCount: Int)
    /// There is something new for the progress handlers.
    func operationHasProgress(_ operation: RequestOperation)
    /// The operation is about to end; returns the error that it ends with.
    func operation(_ operation: RequestOperation, willEndWith error: NetworkError?) -> NetworkError?
    /// The operation has ended; its properties tell how.
    func operationDidEnd(_ operation: RequestOperation)
}

extension OperationObserver {
    func operationDidStart(_ operation: RequestOperation) {}
    func operation(_ operation: RequestOperation, didSend totalBytes: Int64) {}
    func operation(
        _ operation: RequestOperation, didReceive head: ResponseHead, expecting length: Int64?
    ) -> ExchangeDisposition { .proceed }
    func operation(_ operation: RequestOperation, didReceive byteCount: Int) {}
    func operation(_ operation: RequestOperation, willEndWith error: NetworkError?) -> NetworkError? { error }

    /// Ends `operation`, unless it has ended before.
    func end(_ operation: RequestOperation, with result: OperationResult) {
        var result = result
        result.error = self.operation(operation, willEndWith: result.error)
        result.error?.operationID = operation.id
        result.error?.attempts = operation.attempts
        if result.error != nil, result.error?.url == nil {
            result.error?.url = operation.request.urlRequest.url?.withoutUserInformation
        }
        if operation.conclude(result) { operationDidEnd(operation) }
    }
}
