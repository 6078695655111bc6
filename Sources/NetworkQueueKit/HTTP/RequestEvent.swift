/// What happens to a request, from its start to its end, in this order:
///
///     started → attempt → (willRetry → restarted → attempt)* → didReject? → ended
///     ended                                                              (never started)
///     attempt: willSend? → didSend* → willReceive? → didReceive*
enum RequestEvent: Sendable {
    case started
    /// Content of this length is about to be sent.
    case willSend(length: Int64)
    /// Bytes of content sent so far, of the current attempt, and how many there will be.
    case didSend(totalBytes: Int64, length: Int64?)
    /// A response with this head has been accepted. Content of this length follows, where that is known, behind `resumed` bytes
    /// that are there from before.
    indirect case willReceive(ResponseHead, resumed: Int64, length: Int64?)
    /// More bytes of content; `total` are there now, of `expected` where that is known.
    case didReceive(byteCount: Int, total: Int64, expected: Int64?)
    /// The head of the response that was rejected for good.
    indirect case didReject(ResponseHead)
    /// The attempt has failed, and there will be another. `keepsLength` tells whether the length of its content holds for that, too.
    indirect case willRetry(after: Duration, because: NetworkError, keepsLength: Bool)
    /// The next attempt begins.
    case restarted
    /// The request has ended. What the error of a cancellation lacks about its operation is added by `RequestOperation.finalResult`.
    indirect case ended(RequestResult)
}
