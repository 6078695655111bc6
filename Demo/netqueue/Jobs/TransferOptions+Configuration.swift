import Foundation
import NetworkQueueKit

extension TransferOptions {
    /// The settings of the queue.
    var configuration: NetworkQueue.Configuration {
        var configuration = NetworkQueue.Configuration()
        configuration.maxConcurrentRequestCount = jobs
        configuration.maxConcurrentRequestCountPerHost = perHost
        configuration.splitting = maxParts.map { NetworkRequest.Splitting(maxParts: $0) }
        if let checkers { configuration.maxConcurrentSizingCount = checkers }
        configuration.mode = beginsWithLast ? .lastInFirstOut : .firstInFirstOut
        configuration.cancelsAllOnFailure = failsFast
        configuration.showsAccurateProgress = usesSizing
        configuration.maxBytesPerSecond = bytesPerSecond
        configuration.retryPolicy = retryPolicy
        configuration.acceptsCompressed = acceptsCompressed
        for header in headers { header.add(to: &configuration.headers) }
        return configuration
    }

    /// The same with the cookies to begin with, which are kept in memory.
    func configurationWithCookies() throws(UsageError) -> NetworkQueue.Configuration {
        var configuration = configuration
        guard keepsCookies, let storage = URLSessionConfiguration.ephemeral.httpCookieStorage else {
            return configuration
        }
        if let cookies {
            let file = try CookieFile(path: cookies)
            for warning in file.warnings { StandardStream.error.write("netqueue: \(warning); it is skipped\n") }
            for cookie in file.cookies { storage.setCookie(cookie) }
        }
        configuration.cookieStorage = storage
        return configuration
    }

    /// The library's standard, as far as the options do not say otherwise.
    private var retryPolicy: RetryPolicy {
        var policy = RetryPolicy.standard
        policy.maxRetries = retries
        if let retryDelay {
            policy.backoff = .constant(.seconds(retryDelay))
            // Who asks for many long waits expects to be waited for as long.
            let patience = Duration.seconds(retryDelay) * retries
            policy.outageTolerance = policy.outageTolerance.map { max($0, patience) }
        }
        return policy
    }
}

extension DownloadOptions {
    /// What happens to files that are there. With `--keep` it is those that appear meanwhile.
    var conflictPolicy: Destination.ConflictPolicy {
        switch existing {
        case .check, .keep, .verify: .keepIfCurrent(otherwise: .fail)
        case .update: .keepIfCurrent(otherwise: .overwrite)
        case .rename: .keepIfCurrent(otherwise: .rename)
        case .overwrite: .overwrite
        }
    }

    /// Which files get numbers where another has their path.
    var pathNumbering: PathPlan.Numbering {
        existing == .rename ? .all : usesSuggestedNames ? .unnamed : .none
    }
}
