import Foundation

/// Changes a request before each attempt: adds a token, signs it, sends it elsewhere, or refuses it.
///
/// The work is asynchronous and done off the transport's threads; the operation keeps its slot meanwhile. Every attempt
/// starts from the original request, so nothing that an adapter did to the former attempt is left.
public protocol RequestAdapter: Sendable {
    /// Returns the request to send in place of `request`.
    ///
    /// Called once an attempt, not again for redirects. What it throws is the failure of the attempt, which the retry
    /// policy or decider may repeat: a `URLError` or ``NetworkError`` as such, anything else as `.adapting`. When the
    /// operation is cancelled the task is, and the operation does not wait for it.
    func adapt(_ request: URLRequest, in context: AttemptContext) async throws -> URLRequest
}

/// A ``RequestAdapter`` made of a closure.
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
