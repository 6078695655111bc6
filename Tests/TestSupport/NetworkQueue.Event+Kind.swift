import NetworkQueueKit

extension NetworkQueue.Event {
    /// The events by name.
    package enum Kind: CaseIterable, Sendable {
        case didStart, didReceiveHeaders, willRedirect, didReceiveChallenge, willRetry, didPause, didResume
        case didProgress, didFinish, didFail, didUpdate
        case groupDidFinish, queueDidFinish

        /// Those that a delegate is told as well, without that of groups.
        package static let allCases: [Kind] = [
            .didStart, .didReceiveHeaders, .willRedirect, .didReceiveChallenge, .willRetry, .didFinish, .didFail,
            .didUpdate, .queueDidFinish,
        ]
    }

    /// Which event it is.
    package var kind: Kind {
        switch self {
        case .didStart: .didStart
        case .didReceiveHeaders: .didReceiveHeaders
        case .willRedirect: .willRedirect
        case .didReceiveChallenge: .didReceiveChallenge
        case .willRetry: .willRetry
        case .didPause: .didPause
        case .didResume: .didResume
        case .didProgress: .didProgress
        case .didFinish: .didFinish
        case .didFail: .didFail
        case .didUpdate: .didUpdate
        case .groupDidFinish: .groupDidFinish
        case .queueDidFinish: .queueDidFinish
        }
    }

    /// The operation that it is about.
    package var operation: RequestOperation? {
        switch self {
        case .didStart(let operation), .didReceiveHeaders(let operation, _), .willRedirect(let operation, _),
            .didReceiveChallenge(let operation, _), .willRetry(let operation, _, _), .didPause(let operation),
            .didResume(let operation), .didProgress(let operation, _), .didFinish(let operation),
            .didFail(let operation, _):
            operation
        case .didUpdate, .groupDidFinish, .queueDidFinish: nil
        }
    }
}
