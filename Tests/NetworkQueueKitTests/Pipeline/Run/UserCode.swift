import Foundation
import NetworkQueueKit
import TestSupport

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
        RetryPolicy(maxRetries: count, backoff: .constant(.zero))
    }
}

extension HTTPExchange {
    /// The path that is asked for.
    var path: String { url.path() }
}
