import Dashboard
import Foundation
import NetworkQueueKit

extension Options {
    /// The queue's configuration.
    var configuration: NetworkQueue.Configuration {
        var configuration = NetworkQueue.Configuration()
        configuration.maxConcurrentRequestCount = jobs
        configuration.maxConcurrentRequestCountPerHost = perHost
        configuration.splitting = maxParts.map { NetworkRequest.Splitting(maxParts: $0) }
        if let checkers { configuration.maxConcurrentSizingCount = checkers }
        configuration.mode =
            switch order {
            // A list that is known completely is handed over in its order.
            case .list where beginsWithLast && (command != .download || readsListFromInput): .lastInFirstOut
            case .list, .reverse, .random: .firstInFirstOut
            case .smallest: .smallestFirst
            case .largest: .largestFirst
            }
        configuration.cancelsAllOnFailure = failsFast
        configuration.showsAccurateProgress = usesSizing
        configuration.maxBytesPerSecond = bytesPerSecond
        configuration.requestRate = requestRate
        configuration.minBytesPerSecond = minBytesPerSecond
        configuration.retryPolicy = retryPolicy
        if !followsRedirects { configuration.redirectPolicy = .never }
        configuration.acceptsCompressed = acceptsCompressed
        configuration.durability = durability
        configuration.requiresSpace = command == .download && checksSpace && output != .standardOutput
        for header in headers { header.add(to: &configuration.headers) }
        return configuration
    }

    /// The queue's configuration with cookies, which are kept in memory and initially come from the file.
    func configurationWithCookies() throws(UsageError) -> NetworkQueue.Configuration {
        var configuration = configuration
        guard keepsCookies, let storage = URLSessionConfiguration.ephemeral.httpCookieStorage else {
            return configuration
        }
        if let cookies {
            let file = try CookieFile(path: cookies)
            for warning in file.warnings {
                StandardStream.error.write("netqueue: \(warning.withoutControls()); skipped\n")
            }
            for cookie in file.cookies { storage.setCookie(cookie) }
        }
        configuration.cookieStorage = storage
        return configuration
    }

    /// The library's standard policy with the changes that the options ask for.
    private var retryPolicy: RetryPolicy {
        var policy = RetryPolicy.standard
        policy.maxRetries = retries
        if let retryDelay {
            policy.backoff = .constant(.seconds(retryDelay))
            // A user who asks for many long delays expects outages to be tolerated for as long.
            let patience = Duration.seconds(retryDelay) * retries
            policy.outageTolerance = policy.outageTolerance.map { max($0, patience) }
        }
        return policy
    }
}

extension Options {
    /// The policy for existing files. With `--keep` it applies to files with a checksum and to those that appear during
    /// the run.
    var conflictPolicy: Destination.ConflictPolicy {
        switch existing {
        case .check, .keep, .verify: .keepIfCurrent(otherwise: .fail)
        case .update: .keepIfCurrent(otherwise: .overwrite)
        case .rename: .keepIfCurrent(otherwise: .rename)
        case .overwrite: .overwrite
        }
    }

    /// Which files get numbers if another file has their path.
    var pathNumbering: PathPlan.Numbering {
        existing == .rename ? .all : usesSuggestedNames ? .unnamed : .none
    }
}
