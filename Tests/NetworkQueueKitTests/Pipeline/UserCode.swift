import Foundation
import NetworkQueueKit
import TestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An adapter made of a closure.
struct Adapter: RequestAdapter {
    let body: @Sendable (URLRequest, RequestOperation) async throws -> URLRequest

    init(_ body: @escaping @Sendable (URLRequest, RequestOperation) async throws -> URLRequest) {
        self.body = body
    }

    func adapt(_ request: URLRequest, for operation: RequestOperation) async throws -> URLRequest {
        try await body(request, operation)
    }
}

/// A processor made of a closure.
struct Processor: ResponseProcessor {
    let body: @Sendable (ResponseContent, RequestOperation) async throws -> ResponseContent

    init(_ body: @escaping @Sendable (ResponseContent, RequestOperation) async throws -> ResponseContent) {
        self.body = body
    }

    func process(_ content: ResponseContent, for operation: RequestOperation) async throws -> ResponseContent {
        try await body(content, operation)
    }
}

/// A decider made of a closure.
struct Decider: RetryDecider {
    let body: @Sendable (NetworkError, RequestOperation, ResponseHead?) async -> RetryDecision

    init(_ body: @escaping @Sendable (NetworkError, RequestOperation, ResponseHead?) async -> RetryDecision) {
        self.body = body
    }

    func decision(
        after error: NetworkError, of operation: RequestOperation, head: ResponseHead?
    ) async -> RetryDecision {
        await body(error, operation, head)
    }
}

/// What the user's code may throw.
struct Refusal: Error, Equatable {}

/// Never returns, whatever becomes of its task.
func hang() async {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
}

extension URLRequest {
    /// The same with a value more in a field.
    func adding(_ value: String, to name: String) -> URLRequest {
        var request = self
        request.addValue(value, forHTTPHeaderField: name)
        return request
    }
}

extension RetryPolicy {
    /// Retries without delay.
    static func immediate(_ count: Int) -> RetryPolicy {
        RetryPolicy(maximumRetries: count, backoff: .constant(.zero))
    }
}

extension HTTPExchange {
    /// The path that is asked for.
    var path: String { url.path() }
}
