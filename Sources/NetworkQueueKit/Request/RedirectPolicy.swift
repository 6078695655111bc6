/// Which redirects are followed. A value.
///
/// Whatever the policy, methods and content follow RFC 9110, section 15.4, and `Authorization`, `Cookie` and
/// `Proxy-Authorization` are dropped when scheme, host or port changes. A redirect that is not followed is the response.
public struct RedirectPolicy: Sendable, Hashable {
    /// How many redirects of one attempt are followed; one more fails with `.tooManyRedirects`. Default 20. 0 means that
    /// none is followed, and that is not a failure.
    public var maximumCount: Int
    /// Whether a redirect from https to http is followed. Default `false`.
    public var allowsInsecureTarget: Bool

    /// Creates a policy.
    public init(maximumCount: Int = 20, allowsInsecureTarget: Bool = false) {
        self.maximumCount = maximumCount
        self.allowsInsecureTarget = allowsInsecureTarget
    }

    /// Up to 20, never from https to http.
    public static let standard = RedirectPolicy()
    /// None: the redirect is the response.
    public static let never = RedirectPolicy(maximumCount: 0)
}
