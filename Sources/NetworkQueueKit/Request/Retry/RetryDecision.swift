import Foundation

/// What a ``RetryDecider`` wants to happen.
public enum RetryDecision: Sendable {
    /// What the retry policy says.
    case usePolicy
    /// The operation fails now.
    case fail
    /// Another attempt after `delay`, or earlier when one of `triggers` fires.
    ///
    /// `request` takes the place of the original request in that attempt alone; `nil` means the original. Adapters see it.
    case retry(after: Duration, triggers: [any EarlyRetryTrigger] = [], request: URLRequest? = nil)
}
