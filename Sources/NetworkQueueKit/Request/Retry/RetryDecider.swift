/// Decides about retries in place of a ``RetryPolicy``, with logic of your own.
public protocol RetryDecider: Sendable {
    /// Decides what follows a failed attempt.
    ///
    /// Asked after every failure but a cancellation, off the transport's threads; the operation keeps its slot meanwhile.
    /// When the operation is cancelled the task is, and the operation does not wait for it.
    ///
    /// - Parameters:
    ///   - error: why the attempt failed.
    ///   - operation: the operation; `operation.attempts` tells how many attempts there have been.
    ///   - head: the head of the response, if there was one.
    func decision(
        after error: NetworkError, of operation: RequestOperation, head: ResponseHead?
    ) async -> RetryDecision
}
