import Foundation

/// Which failures are worth another attempt, how often and when. A value.
///
/// An attempt that failed is repeated when all of these hold:
/// - there have been fewer than `maxRetries` retries, counted from the last attempt that brought at least 1 MiB of a
///   download that the next attempt can continue,
/// - the failure is one of the transport with a code in `errorCodes`, a lack of file descriptors or threads while
///   `errorCodes` has `.resourceUnavailable`, or a rejected status in `statusCodes`,
/// - the method is in `methods`, or the failure shows that nothing was sent,
/// - it is not the second time that content of more than 1 MiB was answered with this 5xx, without `Retry-After`.
///
/// It begins after
///
/// | | |
/// |---|---|
/// | `Retry-After` told, and `honorsRetryAfter` | what it says, at most `maxRetryAfter` |
/// | else | `backoff` |
/// | one of `earlyRetryTriggers` fires meanwhile | at a random moment in the following 3 s, but never later than above |
///
/// and when there is a slot for it.
///
/// An origin (scheme, host and port) cannot be reached while connections are refused or impossible, or are lost before
/// the head of a response. Such failures follow other rules where `outageTolerance` is t, unless `maxRetries` is 0:
///
/// | first such failure of the origin | an attempt that does not reach it |
/// |---|---|
/// | less than t ago | is repeated, and does not count against `maxRetries` |
/// | t ago or longer | is not repeated: each request of the queue gets one attempt |
/// | before the latest response of the origin, or more than 5 minutes without failure ago | begins a new outage |
///
/// | `backoff` | wait before the next attempt, where r is the rest of t |
/// |---|---|
/// | `.constant(d)` | min(d, r), but at least 0.5 s |
/// | another, with the ceiling c | 0.5 s ..< max(1 s, min(c, r)) |
///
/// No trigger makes such a wait shorter than 0.5 s. The requests of a queue share what they know about an origin. t
/// also counts from the request's own first failure in a row: a server that hangs up on it alone is not asked for ever.
/// A name that is not found counts as any other failure, since it may be misspelt. So does a timeout, which has waited
/// long enough, and a connection that was lost after more than 1 MiB of content had been sent.
///
/// Cancellations, bad requests, rejected responses and certificates that are not to be
/// trusted are never repeated. A ``RetryDecider`` can overrule all of this.
public struct RetryPolicy: Sendable, Hashable {
    /// How many attempts may follow the first. 0 means none.
    public var maxRetries: Int
    /// How long to wait before each.
    public var backoff: Backoff
    /// The methods that may be sent twice, in upper case. Default: the idempotent ones (RFC 9110, section 9.2.2).
    public var methods: Set<String>
    /// The failures of the transport that may pass. Default: ``transientErrorCodes``.
    public var errorCodes: Set<URLError.Code>
    /// The rejected statuses that may pass. Default: ``transientStatusCodes``.
    public var statusCodes: Set<Int>
    /// Whether `Retry-After` (RFC 9110, section 10.2.3) takes the place of the backoff. Default `true`.
    ///
    /// With 429 and 503 it also holds back the waiting requests to that host until then, unless
    /// ``holdsHostAfterRetryAfter`` is `false`; after a redirect also those to the host that was asked first.
    public var honorsRetryAfter = true
    /// Whether `Retry-After` of a 429 or 503 holds back the other waiting requests to that host as well. Default `true`;
    /// `false` is for servers that count per file or per user.
    public var holdsHostAfterRetryAfter = true
    /// The longest `Retry-After` that is obeyed; a longer one is cut to it. Default 5 minutes.
    public var maxRetryAfter: Duration = .seconds(300)
    /// How long an origin may be out of reach before its requests are no longer repeated; `nil`, the default, means
    /// that these failures count as all others, and so they do while a request has another of its
    /// ``NetworkRequest/mirrors`` left. 30 s in ``standard``.
    public var outageTolerance: Duration?
    /// What may end a wait early. Default: nothing; ``standard`` has ``HostRecoveryObserver`` and
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

    /// Up to 10 retries of idempotent requests after failures that may pass, with exponential backoff and full jitter,
    /// earlier when the host has answered another request or the network has come back. Origins may be out of reach for
    /// 30 s.
    public static let standard = {
        var policy = RetryPolicy(
            maxRetries: 10, earlyRetryTriggers: [HostRecoveryObserver.shared, NetworkReachabilityObserver.shared])
        policy.outageTolerance = .seconds(30)
        return policy
    }()

    /// The methods that have the same effect however often they are sent (RFC 9110, section 9.2.2).
    public static let idempotentMethods: Set<String> = HTTPExchange.idempotentMethods

    /// The failures that come from a poor or missing connection, and `.resourceUnavailable`, which stands for every
    /// ``NetworkError/Code/resourceShortage``: a lack of file descriptors or threads.
    public static let transientErrorCodes: Set<URLError.Code> = [
        .timedOut, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
        .networkConnectionLost, .resourceUnavailable,
    ]

    /// The statuses by which a server says that it may have an answer later. Cloudflare sends 520 to 524 if the server
    /// behind it fails, refuses connections or takes too long.
    public static let transientStatusCodes: Set<Int> = [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524]

    /// Triggers are told apart by identity.
    private struct TriggerList: Sendable, Hashable {
        var elements: [any EarlyRetryTrigger]

        private var identities: [ObjectIdentifier] { elements.map { ObjectIdentifier($0) } }

        static func == (left: TriggerList, right: TriggerList) -> Bool { left.identities == right.identities }
        func hash(into hasher: inout Hasher) { hasher.combine(identities) }
    }
}

/// How long to wait before a retry. A value.
///
/// | | retry 1 | retry 2 | retry n |
/// |---|---|---|---|
/// | `.constant(d)` | d | d | d |
/// | `.exponential(base: b, factor: f, maximum: m)` | 0 ..< b | 0 ..< min(b · f, m) | 0 ..< min(b · fⁿ⁻¹, m) |
/// | `.table([a, b, c])` | 0 ..< a | 0 ..< b | 0 ..< c from the third on |
///
/// Where there is a range, the delay is drawn from it uniformly (“full jitter”): clients that failed together must not
/// come back together.
public struct Backoff: Sendable, Hashable, Codable {
    private enum Rule: Sendable, Hashable, Codable {
        case constant(Duration)
        case exponential(base: Duration, factor: Double, maximum: Duration)
        case table([Duration])
    }

    private let rule: Rule

    /// The same delay each time, exactly.
    public static func constant(_ delay: Duration) -> Backoff {
        Backoff(rule: .constant(max(delay, .zero)))
    }

    /// Ceilings that grow by `factor`, up to `maximum`. Default: 500 ms, doubling, up to 60 s.
    public static func exponential(
        base: Duration = .milliseconds(500), factor: Double = 2, maximum: Duration = .seconds(60)
    ) -> Backoff {
        Backoff(rule: .exponential(base: max(base, .zero), factor: max(factor, 1), maximum: max(maximum, .zero)))
    }

    /// The given ceilings, one a retry; the last one serves all further retries. An empty table means no delay.
    public static func table(_ ceilings: [Duration]) -> Backoff {
        Backoff(rule: .table(ceilings.map { max($0, .zero) }))
    }

    /// The longest delay before retry number `retry`, counted from 1.
    public func ceiling(forRetry retry: Int) -> Duration {
        let index = max(retry, 1) - 1
        switch rule {
        case .constant(let delay):
            return delay
        case .exponential(let base, let factor, let maximum):
            // In floating point, where a number too large is infinite and no error.
            let seconds = base.seconds * pow(factor, Double(index))
            return seconds < maximum.seconds ? .seconds(seconds) : maximum
        case .table(let ceilings):
            return ceilings.isEmpty ? .zero : ceilings[min(index, ceilings.count - 1)]
        }
    }

    /// A delay before retry number `retry`, counted from 1.
    public func delay(forRetry retry: Int) -> Duration {
        var generator = SystemRandomNumberGenerator()
        return delay(forRetry: retry, using: &generator)
    }

    /// A delay before retry number `retry`, counted from 1, drawn with a generator of yours.
    public func delay(forRetry retry: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        let ceiling = ceiling(forRetry: retry)
        if case .constant = rule { return ceiling }
        return ceiling * Double.random(in: 0..<1, using: &generator)
    }

    /// A delay between `minimum` and `maximum`. The range goes to twice the minimum at least, so there is always
    /// jitter.
    func delay(forRetry retry: Int, from minimum: Duration, to maximum: Duration) -> Duration {
        let ceiling = min(ceiling(forRetry: retry), maximum)
        if case .constant = rule { return max(ceiling, minimum) }
        return minimum + (max(ceiling, minimum * 2) - minimum) * Double.random(in: 0..<1)
    }
}

/// What a ``RetryDecider`` wants to happen.
public enum RetryDecision: Sendable {
    /// What the retry policy says.
    case usePolicy
    /// The operation fails now.
    case fail
    /// Another attempt after `delay`, or earlier when one of `triggers` fires.
    ///
    /// `request` takes the place of the original request in that attempt alone; `nil` means the original. Adapters see
    /// it.
    case retry(after: Duration, triggers: [any EarlyRetryTrigger] = [], request: URLRequest? = nil)
}
