import Foundation
import NetworkQueueKit
import TestSupport

/// What the user's code may throw.
struct Refusal: Error, Equatable {}

extension URLRequest {
    /// The same with a value more in a field.
    func adding(_ value: String, to name: String) -> URLRequest {
        var request = self
        request.addValue(value, forHTTPHeaderField: name)
        return request
    }
}

extension RequestAdapter where Self == ClosureAdapter {
    static func changing(_ change: @escaping @Sendable (inout URLRequest) -> Void) -> ClosureAdapter {
        ClosureAdapter { request, _ in
            var request = request
            change(&request)
            return request
        }
    }
}

extension RetryPolicy {
    /// Retries without delay.
    static func immediate(_ count: Int) -> RetryPolicy {
        RetryPolicy(maxRetries: count, backoff: .constant(.zero))
    }
}

extension HTTPExchange {
    /// The path that is asked for.
    var path: String { url.path() }
}
