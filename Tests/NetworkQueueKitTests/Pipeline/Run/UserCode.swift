import Foundation
import NetworkQueueKit
import TestSupport

/// What the user's code may throw.
struct Refusal: Error, Equatable {}

extension URLRequest {
    func changed(_ change: (inout URLRequest) -> Void) -> URLRequest {
        var request = self
        change(&request)
        return request
    }

    /// The same with a value more in a field.
    func adding(_ value: String, to name: String) -> URLRequest {
        changed { $0.addValue(value, forHTTPHeaderField: name) }
    }
}

extension RequestAdapter where Self == ClosureAdapter {
    static func changing(_ change: @escaping @Sendable (inout URLRequest) -> Void) -> ClosureAdapter {
        ClosureAdapter { request, _ in request.changed(change) }
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
