import Foundation

/// Defaults for requests that do not set a value; part of both queues and their configurations.
///
/// The settings are available on the queue itself: `queue.retryPolicy = .standard`. A change affects requests that
/// start later.
public struct RequestDefaults: Sendable {
    /// The rule for which responses count as a success; see ``RequestQueueing/validation``.
    public var validation: ResponseValidation {
        get { ownValidation ?? .successStatus }
        set { ownValidation = newValue }
    }
    /// The validation that the user has set; `nil` leaves the choice to ``ResponseValidation/usual(for:)``.
    private(set) var ownValidation: ResponseValidation?
    /// The rule for retries; see ``RequestQueueing/retryPolicy``.
    public var retryPolicy = RetryPolicy.never
    /// Decides about retries in place of the policy; see ``RequestQueueing/retryDecider``.
    public var retryDecider: (any RetryDecider)?
    /// The rule for redirects; see ``RequestQueueing/redirectPolicy``.
    public var redirectPolicy = RedirectPolicy.standard
    /// The adapters for all requests; see ``RequestQueueing/adapters``.
    public var adapters: [any RequestAdapter] = []
    /// The header fields for all requests; see ``RequestQueueing/headers``.
    public var headers = HTTPHeaders()
    /// Whether to accept gzip and deflate; see ``RequestQueueing/acceptsCompressed``.
    public var acceptsCompressed = false
    /// The rule for split downloads; see ``RequestQueueing/splitting``.
    public var splitting: NetworkRequest.Splitting?
    /// The authenticator for all requests; see ``RequestQueueing/authenticator``.
    public var authenticator: (any RequestAuthenticator)?
    /// The monitors that observe requests; see ``RequestQueueing/monitors``.
    public var monitors: [any QueueMonitor] = []
    /// The processors for all responses; see ``RequestQueueing/processors``.
    public var processors: [any ResponseProcessor] = []
    /// The minimum speed of content; see ``RequestQueueing/minBytesPerSecond``.
    public var minBytesPerSecond: Int? {
        didSet { minBytesPerSecond = minBytesPerSecond.map { max($0, 0) } }
    }
    /// The time over which speed is measured; see ``RequestQueueing/minSpeedInterval``.
    public var minSpeedInterval = Duration.seconds(30)
    /// The storage for cookies; see ``RequestQueueing/cookieStorage``.
    public var cookieStorage: HTTPCookieStorage?

    /// When downloaded files are flushed to the disk; see ``RequestQueueing/durability``.
    public var durability = Durability.atEnd

    /// The folder for the state of unfinished uploads; see ``RequestQueueing/stateFolder``.
    public var stateFolder = RequestDefaults.usualStateFolder
    /// How much a tus upload sends in one request, in bytes.
    package var uploadPieceLength: Int64 = 8 << 20

    /// `$XDG_STATE_HOME/networkqueuekit/tus`, in `~/.local/state` if that is not set.
    private static let usualStateFolder: URL = {
        let environment = ProcessInfo.processInfo.environment
        let home = URL(filePath: NSHomeDirectory(), directoryHint: .isDirectory)
        let base =
            environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
            ?? home.appending(components: ".local", "state")
        return base.appending(components: "networkqueuekit", "tus", directoryHint: .isDirectory)
    }()

    /// Creates defaults with the library's own values.
    public init() {}

    /// Returns the request with the defaults applied to what it does not set itself.
    func completed(_ request: NetworkRequest) -> NetworkRequest {
        let own = request.headers
        var request = request
        for field in headers where own.mayGain(field.name) {
            request.headers.append(name: field.name, value: field.value)
        }
        for name in headers.suppressedNames where !own.contains(name) { request.headers.suppress(name) }
        if acceptsCompressed, !request.acceptsCompressed { request.acceptsCompressed = true }
        if let splitting, request.splitting == nil { request.splitting = splitting }
        return request
    }
}

/// Mirrors leave out the contents of users' objects, such as tokens in adapters and cookies in a storage.
extension RequestDefaults: CustomReflectable {
    /// The settings, with users' objects reduced to the names of their types.
    public var customMirror: Mirror {
        func typeName(of value: Any) -> String { String(describing: type(of: value)) }
        return Mirror(
            self,
            children: [
                "headers": headers, "acceptsCompressed": acceptsCompressed, "splitting": splitting as Any,
                "validation": validation,
                "retryPolicy": retryPolicy,
                "retryDecider": retryDecider.map(typeName) as Any, "redirectPolicy": redirectPolicy,
                "adapters": adapters.map(typeName), "authenticator": authenticator.map(typeName) as Any,
                "monitors": monitors.map(typeName), "processors": processors.map(typeName),
                "minBytesPerSecond": minBytesPerSecond as Any, "minSpeedInterval": minSpeedInterval,
                "cookieStorage": cookieStorage.map(typeName) as Any, "durability": durability,
                "stateFolder": stateFolder,
            ], displayStyle: .struct)
    }
}

/// The rule for which redirects are followed.
///
/// With every policy, method and content are handled as in RFC 9110, section 15.4, and `Authorization`, `Cookie` and
/// `Proxy-Authorization` are dropped when the scheme, host or port changes. A redirect that is not followed is the
/// response.
public struct RedirectPolicy: Sendable, Hashable {
    /// The maximum number of redirects per attempt; one more fails the request with `.tooManyRedirects`. Default 20.
    /// With 0 no redirect is followed, which is not a failure.
    public var maximumCount: Int
    /// Whether redirects from https to http are followed. Default `false`.
    public var allowsInsecureTarget: Bool

    /// Creates a policy.
    public init(maximumCount: Int = 20, allowsInsecureTarget: Bool = false) {
        self.maximumCount = maximumCount
        self.allowsInsecureTarget = allowsInsecureTarget
    }

    /// Up to 20 redirects, never from https to http.
    public static let standard = RedirectPolicy()
    /// No redirects: a redirect is the response.
    public static let never = RedirectPolicy(maximumCount: 0)
}
