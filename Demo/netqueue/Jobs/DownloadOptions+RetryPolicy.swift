import NetworkQueueKit

extension DownloadOptions {
    /// The library's standard, as far as the options do not say otherwise.
    var retryPolicy: RetryPolicy {
        var policy = RetryPolicy.standard
        policy.maximumRetries = retries
        if let retryDelay { policy.backoff = .constant(.seconds(retryDelay)) }
        return policy
    }
}
