import Foundation
import NetworkQueueKit

enum RetriesSnippets {
    static func standard(_ queue: NetworkQueue) {
        // snippet: standard
        queue.retryPolicy = .standard
        // end
    }

    static func custom(_ queue: NetworkQueue) {
        // snippet: custom
        var policy = RetryPolicy(maxRetries: 5, backoff: .exponential(base: .seconds(1), maximum: .seconds(30)))
        policy.statusCodes.insert(404)  // published a little later than announced
        policy.outageTolerance = .seconds(60)
        policy.earlyRetryTriggers = [NetworkReachabilityObserver.shared]
        queue.retryPolicy = policy
        // end
    }

    static func one(_ url: URL) -> NetworkRequest {
        // snippet: request
        var request = NetworkRequest(url)
        request.retryPolicy = .never
        request.totalTimeout = .seconds(30)
        // end
        return request
    }

    static func deciding(_ queue: RequestQueue) {
        // snippet: decider
        queue.retryDecider = .decider { error, context in
            guard case .httpStatus(409) = error.code, context.attempt < 3 else { return .usePolicy }
            return .retry(after: .milliseconds(200))
        }
        // end
    }

    static func forever(_ request: URLRequest, _ queue: RequestQueue) {
        // snippet: auto
        let operation = RequestOperation(request: request)
        operation.autoRetry = true
        operation.autoRetryDelay = .seconds(10)
        queue.add(operation)
        // end
    }
}
