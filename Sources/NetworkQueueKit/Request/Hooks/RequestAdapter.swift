import Foundation

/// Changes a request before each attempt: adds a token, signs it, sends it elsewhere, or refuses it.
///
/// Adapters run asynchronously, off the transport's threads; the operation keeps its slot meanwhile. Every attempt
/// starts from the original request, so an adapter's changes do not accumulate.
public protocol RequestAdapter: Sendable {
    /// Returns the request to send in place of `request`.
    ///
    /// Called once per attempt, and again after a pause, but not for redirects. An error fails the attempt, and the
    /// retry policy or decider may repeat it: a `URLError` or ``NetworkError`` is reported unchanged, any other error
    /// as `.adapting`. Canceling the operation cancels the task without waiting for it.
    func adapt(_ request: URLRequest, in context: AttemptContext) async throws -> URLRequest
}

/// A ``RequestAdapter`` that calls a closure.
public struct ClosureAdapter: RequestAdapter {
    private let body: @Sendable (URLRequest, AttemptContext) async throws -> URLRequest

    /// Creates an adapter that calls `body`.
    public init(_ body: @escaping @Sendable (URLRequest, AttemptContext) async throws -> URLRequest) {
        self.body = body
    }

    /// Calls the closure.
    public func adapt(_ request: URLRequest, in context: AttemptContext) async throws -> URLRequest {
        try await body(request, context)
    }
}

extension RequestAdapter where Self == ClosureAdapter {
    /// An adapter that calls `body`: `.adapter { request, context in … }`.
    public static func adapter(
        _ body: @escaping @Sendable (URLRequest, AttemptContext) async throws -> URLRequest
    ) -> Self {
        ClosureAdapter(body)
    }
}
