/// Decides about retries with custom logic, in place of a ``RetryPolicy``.
public protocol RetryDecider: Sendable {
    /// Returns what to do after a failed attempt.
    ///
    /// Called after every failure except a cancellation and an expired ``NetworkRequest/totalTimeout``, off the
    /// transport's threads; the operation keeps its slot meanwhile. Canceling the operation cancels the task without
    /// waiting for it.
    ///
    /// - Parameters:
    ///   - error: why the attempt failed; `error.response` is the response, if there was one.
    ///   - context: `context.attempt` is the number of attempts so far.
    func decision(after error: NetworkError, in context: AttemptContext) async -> RetryDecision
}

/// A ``RetryDecider`` that calls a closure.
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
