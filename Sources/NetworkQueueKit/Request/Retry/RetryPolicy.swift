import Foundation

/// A rule for which failures are retried, how often and when.
///
/// A failed attempt is repeated if all of these conditions hold:
/// - fewer than `maxRetries` retries were made since the last attempt that received at least 1 MiB of a download that
///   the next attempt can continue,
/// - the failure is a transport error with a code in `errorCodes`, a shortage of file descriptors or threads while
///   `errorCodes` has `.resourceUnavailable`, or a rejected status in `statusCodes`; a 403 that says that a quota is
///   used up counts as 429, and a rejected 202 with `Retry-After` as temporary,
/// - the method is in `methods`, or the failure shows that nothing was sent,
/// - it is not the second time that the server answered content of more than 1 MiB with this 5xx and no time to wait.
///
/// The next attempt begins after this delay,
///
/// | | |
/// |---|---|
/// | the response has `Retry-After`, and `honorsRetryAfter` is `true` | its value, at most `maxRetryAfter` |
/// | otherwise it says that a quota is used up, and when it is renewed | that time, at most `maxRetryAfter` |
/// | otherwise | `backoff`; after a 429 at least as long as its host is held |
/// | one of `earlyRetryTriggers` fires meanwhile | a random moment in the following 3 s, but never later than above |
///
/// and as soon as a slot is free.
///
/// An origin (scheme, host and port) is unreachable while connections to it cannot be made, or are lost before the head
/// of a response. If `outageTolerance` is a duration t and `maxRetries` is not 0, such failures follow other rules:
///
/// | first such failure of the origin | an attempt that does not reach it |
/// |---|---|
/// | less than t ago | is repeated if `methods` and `errorCodes` allow it, and does not count toward `maxRetries` |
/// | t ago or longer | is not repeated: each request of the queue gets one attempt |
/// | before the origin last answered or took 1 MiB, or before 5 minutes without a failure | begins a new outage |
///
/// | `backoff` | wait before the next attempt, where r is the remainder of t |
/// |---|---|
/// | `.constant(d)` | min(d, r), but at least 0.5 s |
/// | any other, with the ceiling c | 0.5 s ..< max(1 s, min(c, r)) |
///
/// Triggers cannot shorten such a wait below 0.5 s. The requests of a queue share their knowledge about an origin. t is
/// also measured from the request's own first consecutive failure, without the time in which it waits for a slot, so
/// that a server that drops only this request is not retried forever; a refused connection in a later outage starts
/// that measure again. Three failures follow the ordinary rules: a host name that is not found, since it may be
/// misspelled; a timeout, which has waited long enough; and a connection lost after more than 1 MiB of content was
/// sent.
///
/// Cancellations, invalid URLs and requests, failures of TLS, responses rejected for anything but their status, and
/// failures to process a response are never retried. Two further attempts, which no policy counts, are described in
/// <doc:Retries>. A ``RetryDecider`` can overrule all of this, but is not asked about cancellations and an expired
/// ``NetworkRequest/totalTimeout``.
public struct RetryPolicy: Sendable, Hashable {
    /// The maximum number of retries after the first attempt; 0 means none.
    public var maxRetries: Int
    /// The delay before each retry.
    public var backoff: Backoff
    /// The methods that may be sent again, in upper case. Default: the idempotent methods (RFC 9110, section 9.2.2).
    public var methods: Set<String>
    /// The transport errors that count as temporary. Default: ``transientErrorCodes``.
    public var errorCodes: Set<URLError.Code>
    /// The rejected statuses that count as temporary. Default: ``transientStatusCodes``.
    public var statusCodes: Set<Int>
    /// Whether the time for which a server asks replaces the backoff. Default `true`.
    ///
    /// That is `Retry-After` (RFC 9110, section 10.2.3), or else the time until a quota is renewed that is used up:
    /// `RateLimit: "name";r=0;t=30`, or 0 in `RateLimit-Remaining` or `X-RateLimit-Remaining` with a time in the
    /// `-Reset` field of the same family. Malformed fields are ignored.
    ///
    /// These responses also hold back waiting requests to that host, unless ``maxRetries`` is 0 or
    /// ``holdsHostAfterRetryAfter`` is `false`:
    ///
    /// | Response | How long |
    /// |---|---|
    /// | 429 or 503 with `Retry-After` | as it says |
    /// | any status, if a quota is used up | until it is renewed; if there is a `Retry-After`, as that says |
    /// | 429, or 403 if a quota is used up, without a time | a second; twice as long each time that it is repeated |
    ///
    /// After a redirect, requests to the host of the original URL are held back as well.
    public var honorsRetryAfter = true
    /// Whether a server that asks for a pause also holds back other waiting requests to its host. Default `true`. Use
    /// `false` for servers whose limits apply per file or per user.
    public var holdsHostAfterRetryAfter = true
    /// The upper limit for the times for which servers ask; longer ones are reduced to it. Default 5 minutes.
    public var maxRetryAfter: Duration = .seconds(300)
    /// How long an origin may be unreachable before its requests are no longer retried. Default `nil`: such failures
    /// count as all others. ``standard`` uses 30 s.
    ///
    /// Such failures also count as all others while the request has another of its ``NetworkRequest/mirrors`` left.
    public var outageTolerance: Duration?
    /// The triggers that may end a wait early. Default: none; ``standard`` has ``HostRecoveryObserver`` and
    /// ``NetworkReachabilityObserver``.
    public var earlyRetryTriggers: [any EarlyRetryTrigger] {
        get { triggers.elements }
        set { triggers.elements = newValue }
    }
    private var triggers: TriggerList

    /// Creates a policy.
    public init(
        maxRetries: Int, backoff: Backoff = .exponential(), methods: Set<String> = Self.idempotentMethods,
        errorCodes: Set<URLError.Code> = Self.transientErrorCodes, statusCodes: Set<Int> = Self.transientStatusCodes,
        earlyRetryTriggers: [any EarlyRetryTrigger] = []
    ) {
        self.maxRetries = maxRetries
        self.backoff = backoff
        self.methods = methods
        self.errorCodes = errorCodes
        self.statusCodes = statusCodes
        triggers = TriggerList(elements: earlyRetryTriggers)
    }

    /// No retries.
    public static let never = RetryPolicy(maxRetries: 0)

    /// Up to 10 retries of idempotent requests after temporary failures, with exponential backoff and full jitter.
    ///
    /// A retry happens earlier if another request to the host has succeeded or the network is available again. Origins
    /// may be unreachable for 30 s.
    public static let standard = {
        var policy = RetryPolicy(
            maxRetries: 10, earlyRetryTriggers: [HostRecoveryObserver.shared, NetworkReachabilityObserver.shared])
        policy.outageTolerance = .seconds(30)
        return policy
    }()

    /// The idempotent methods, which have the same effect however often they are sent (RFC 9110, section 9.2.2).
    public static let idempotentMethods: Set<String> = HTTPExchange.idempotentMethods

    /// Errors caused by a poor or missing connection, and `.resourceUnavailable`, which stands for every
    /// ``NetworkError/Code/resourceShortage``: a shortage of file descriptors or threads.
    public static let transientErrorCodes: Set<URLError.Code> = [
        .timedOut, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
        .networkConnectionLost, .resourceUnavailable,
    ]

    /// The statuses with which a server reports a temporary problem. Cloudflare sends 520 to 524 if the server behind
    /// it fails, refuses connections or takes too long.
    public static let transientStatusCodes: Set<Int> = [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524]

    /// Compares triggers by identity.
    private struct TriggerList: Sendable, Hashable {
        var elements: [any EarlyRetryTrigger]

        private var identities: [ObjectIdentifier] { elements.map { ObjectIdentifier($0) } }

        static func == (left: TriggerList, right: TriggerList) -> Bool { left.identities == right.identities }
        func hash(into hasher: inout Hasher) { hasher.combine(identities) }
    }
}

/// The delay before a retry.
///
/// | | retry 1 | retry 2 | retry n |
/// |---|---|---|---|
/// | `.constant(d)` | d | d | d |
/// | `.exponential(base: b, factor: f, maximum: m)` | 0 ..< b | 0 ..< min(b · f, m) | 0 ..< min(b · fⁿ⁻¹, m) |
/// | `.table([a, b, c])` | 0 ..< a | 0 ..< b | 0 ..< c from the third on |
///
/// A delay with a range is drawn from it uniformly (“full jitter”), so that clients that failed together do not return
/// together.
public struct Backoff: Sendable, Hashable, Codable {
    private enum Rule: Sendable, Hashable, Codable {
        case constant(Duration)
        case exponential(base: Duration, factor: Double, maximum: Duration)
        case table([Duration])
    }

    private let rule: Rule

    private init(rule: Rule) { self.rule = rule }

    /// Decodes a backoff. A value that its rule does not allow is replaced by the nearest one that it does.
    public init(from decoder: any Decoder) throws {
        self =
            switch try decoder.container(keyedBy: CodingKeys.self).decode(Rule.self, forKey: .rule) {
            case .constant(let delay): .constant(delay)
            case .exponential(let base, let factor, let maximum):
                .exponential(base: base, factor: factor, maximum: maximum)
            case .table(let ceilings): .table(ceilings)
            }
    }

    /// The same delay before every retry, without jitter.
    public static func constant(_ delay: Duration) -> Backoff {
        Backoff(rule: .constant(max(delay.bounded, .zero)))
    }

    /// Ceilings that grow by `factor`, up to `maximum`. By default they double from 500 ms up to 60 s.
    public static func exponential(
        base: Duration = .milliseconds(500), factor: Double = 2, maximum: Duration = .seconds(60)
    ) -> Backoff {
        Backoff(
            rule: .exponential(
                base: max(base.bounded, .zero), factor: factor > 1 ? factor : 1, maximum: max(maximum.bounded, .zero)))
    }

    /// The given ceilings, one per retry; the last one applies to all further retries. An empty table means no delay.
    public static func table(_ ceilings: [Duration]) -> Backoff {
        Backoff(rule: .table(ceilings.map { max($0.bounded, .zero) }))
    }

    /// Returns the longest delay before retry number `retry`, counted from 1.
    public func ceiling(forRetry retry: Int) -> Duration {
        let index = max(retry, 1) - 1
        switch rule {
        case .constant(let delay):
            return delay
        case .exponential(let base, let factor, let maximum):
            // Floating point, because a value that is too large becomes infinite instead of trapping.
            let seconds = base.seconds * pow(factor, Double(index))
            return seconds < maximum.seconds ? .seconds(seconds) : maximum
        case .table(let ceilings):
            return ceilings.isEmpty ? .zero : ceilings[min(index, ceilings.count - 1)]
        }
    }

    /// Returns a delay before retry number `retry`, counted from 1.
    public func delay(forRetry retry: Int) -> Duration {
        var generator = SystemRandomNumberGenerator()
        return delay(forRetry: retry, using: &generator)
    }

    /// Returns a delay before retry number `retry`, counted from 1, drawn with the given generator.
    public func delay(forRetry retry: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        let ceiling = ceiling(forRetry: retry)
        if case .constant = rule { return ceiling }
        return ceiling * Double.random(in: 0..<1, using: &generator)
    }

    /// Returns a delay between `minimum` and `maximum`. The range extends to at least twice the minimum, so there is
    /// always jitter.
    func delay(forRetry retry: Int, from minimum: Duration, to maximum: Duration) -> Duration {
        let ceiling = min(ceiling(forRetry: retry), maximum)
        if case .constant = rule { return max(ceiling, minimum) }
        return minimum + (max(ceiling, minimum * 2) - minimum) * Double.random(in: 0..<1)
    }
}

/// The decision of a ``RetryDecider``.
public enum RetryDecision: Sendable {
    /// The retry policy decides.
    case usePolicy
    /// The operation fails now.
    case fail
    /// Another attempt is made after the delay, or earlier if one of `triggers` fires.
    ///
    /// `request` replaces the original request in that attempt only; `nil` means the original. Adapters see the
    /// replacement.
    case retry(after: Duration, triggers: [any EarlyRetryTrigger] = [], request: URLRequest? = nil)
}
