/// Decides about retries in place of a ``RetryPolicy``, with logic of your own.
public protocol RetryDecider: Sendable {
    /// Decides what follows a failed attempt.
    ///
    /// Asked after every failure but a cancellation, off the transport's threads; the operation keeps its slot
    /// meanwhile. When the operation is cancelled the task is, and the operation does not wait for it.
    ///
    /// - Parameters:
    ///   - error: why the attempt failed; `error.response` is the response, if there was one.
    ///   - context: `context.attempt` tells how many attempts there have been.
    func decision(after error: NetworkError, in context: AttemptContext) async -> RetryDecision
}

/// A ``RetryDecider`` made of a closure.
public struct ClosureDecider: RetryDecider {
    private let body: @Sendable (NetworkError, AttemptContext) async -> RetryDecision

    /// Creates a decider that calls `body`.
    public init(_ body: @escaping @Sendable (NetworkError, AttemptContext) async -> RetryDecision) {
        self.body = body
    }

    /// Calls the closure.
    public func decision(after error: NetworkError, in context: AttemptContext) async -> RetryDecision {
        await body(error, context)
    }
}

extension RetryDecider where Self == ClosureDecider {
    /// A decider that calls `body`: `.decider { error, context in … }`.
    public static func decider(
        _ body: @escaping @Sendable (NetworkError, AttemptContext) async -> RetryDecision
    ) -> Self {
        ClosureDecider(body)
    }
}
