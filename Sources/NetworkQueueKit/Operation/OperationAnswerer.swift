#if canImport(FoundationNetworking)
    import FoundationNetworking
#else
    import Foundation
#endif

/// Answers what is not for an operation to decide.
protocol OperationAnswerer: AnyObject, Sendable {
    /// The response leads to `target`; the operation waits for `answer`, which may be called at once or later, on any thread.
    func operation(
        _ operation: RequestOperation, willRedirectTo target: HTTPExchange,
        answer: @escaping @Sendable (RedirectAnswer) -> Void)
    /// A credential is needed for all requests of this protection space. Answers given after the first count for nothing, and
    /// letting go of `answer` is one, too.
    func operation(
        _ operation: RequestOperation, didReceive challenge: AuthenticationChallenge,
        answer: @escaping @Sendable (URLCredential?) -> Void)
    /// The operation is about to fail, and not because it was cancelled; returns the error that it ends with.
    func operation(_ operation: RequestOperation, willEndWith error: NetworkError) -> NetworkError
}
