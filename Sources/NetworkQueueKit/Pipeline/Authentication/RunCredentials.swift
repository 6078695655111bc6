import Foundation

/// The credentials of one run: its own and those it has sent.
struct RunCredentials: Sendable {
    /// A space to search for a credential, with the run's own credential for it, if any.
    struct Candidate: Sendable {
        let space: ProtectionSpace
        var own: URLCredential?
    }

    /// How many times in a row a server may call the nonce stale before the run gives up.
    private static let maximumStaleCount = 3
    /// How many challenges one attempt answers. Limits servers that keep asking, for instance with ever new realms.
    static let maximumDemandCount = 20

    /// The credential of the request or of its URL. It is sent to the first origin only, wherever redirects lead.
    private struct OwnCredential: Sendable {
        let credential: URLCredential
        let home: URL?
        /// The key under which all requests with the same credential share a space.
        let owner: String?

        init(_ credential: URLCredential, home: URL?) {
            self.credential = credential
            self.home = home
            owner = credential.user.map { "\($0):\(credential.password ?? "")" }
        }
    }

    private var own: OwnCredential?
    /// Whether the own credential is sent before a server asks for it.
    private let sendsOwnUnasked: Bool
    private var isOwnRefused = false
    /// Whether the latest exchange sent the own credential unasked, in the Basic scheme.
    private var hasSentOwn = false
    private(set) var serverUse: CredentialCache.Use?
    private(set) var proxyUse: CredentialCache.Use?
    /// The spaces that a challenge led the run to. Their credentials override the request's own `Authorization` field.
    private var demanded: [ProtectionSpace: ProtectionSpace] = [:]
    private var staleCount = 0

    /// - Parameters:
    ///   - credential: the request's own credential.
    ///   - sendsUnasked: whether to send it before a server asks for it.
    ///   - home: the request's URL.
    init(_ credential: URLCredential?, sendsUnasked: Bool = true, home: @autoclosure () -> URL?) {
        sendsOwnUnasked = sendsUnasked
        if let credential { own = OwnCredential(credential, home: home()) }
    }

    /// Adopts the credential in the request's URL, unless the run already has one.
    mutating func adoptCredential(of url: URL?) {
        guard own == nil, let credential = url?.credential else { return }
        own = OwnCredential(credential, home: url)
    }

    /// Adds the known credentials to an exchange that is about to start.
    mutating func authorize(_ exchange: inout HTTPExchange, with credentials: CredentialCache) {
        hasSentOwn = false
        serverUse = nil
        proxyUse = nil
        // Parsing a URL is slow on Linux, and most requests involve no credentials.
        guard own != nil || !credentials.isEmpty, let origin = Origin(exchange.url) else { return }
        authorizeServer(&exchange, origin, credentials)
        let isTunnel = origin.scheme == "https"
        if let (value, use) = credentials.authorization(
            in: ProtectionSpace(origin: nil, owner: nil, realm: nil),
            method: isTunnel ? "CONNECT" : exchange.method,
            target: isTunnel ? "\(origin.host):\(origin.port)" : exchange.requestTarget)
        {
            exchange.proxyAuthorization = value
            proxyUse = use
        }
    }

    private mutating func authorizeServer(
        _ exchange: inout HTTPExchange, _ origin: Origin, _ credentials: CredentialCache
    ) {
        let ownSpace = ownSpace(origin)
        let shared = ProtectionSpace(origin: origin, owner: nil, realm: nil)
        let wasAsked = demanded[shared] != nil || ownSpace.map { demanded[$0] != nil } == true
        guard wasAsked || !exchange.headers.contains("Authorization"),
            !exchange.headers.isSuppressed("Authorization")
        else { return }
        let spaces = [ownSpace, shared].compactMap { $0.map { demanded[$0] ?? $0 } }
        for space in spaces {
            guard
                let (value, use) = credentials.authorization(
                    in: space, method: exchange.method, target: exchange.requestTarget)
            else { continue }
            exchange.headers.set(value, for: "Authorization")
            serverUse = use
            return
        }
        guard sendsOwnUnasked, ownSpace != nil, let own = own?.credential, let user = own.user else { return }
        exchange.headers.set(.basicAuthorization(user: user, password: own.password ?? ""), for: "Authorization")
        hasSentOwn = true
    }

    /// The space of the own credential, if it may be sent to this origin.
    private func ownSpace(_ origin: Origin) -> ProtectionSpace? {
        guard let own, let owner = own.owner, !isOwnRefused, origin == own.home.flatMap(Origin.init) else { return nil }
        return ProtectionSpace(origin: origin, owner: owner, realm: nil)
    }

    /// The spaces to search for an answer to a challenge of this response, in order.
    mutating func candidates(for demand: ServerChallenge, of head: ResponseHead, isProxy: Bool) -> [Candidate] {
        if demand.isStale {
            staleCount += 1
            guard staleCount <= Self.maximumStaleCount else { return [] }
        }
        let realm = demand.realm
        if isProxy {
            let shared = Candidate(space: ProtectionSpace(origin: nil, owner: nil, realm: realm))
            guard let own = head.proxyCredential?.value else { return [shared] }
            return [Candidate(space: ProtectionSpace(origin: nil, owner: own.user, realm: realm), own: own), shared]
        }
        guard let origin = Origin(head.url) else { return [] }
        if hasSentOwn, demand.scheme == .basic { isOwnRefused = true }
        let shared = Candidate(space: ProtectionSpace(origin: origin, owner: nil, realm: realm))
        guard let space = ownSpace(origin) else { return [shared] }
        let own = Candidate(
            space: ProtectionSpace(origin: origin, owner: space.owner, realm: realm), own: own?.credential)
        return [own, shared]
    }

    /// Notes that a space now has a credential.
    mutating func noteCredential(for space: ProtectionSpace) {
        demanded[space.whole] = space
    }

    /// The own credential, if it was refused.
    var rejectedOwn: URLCredential? { isOwnRefused ? own?.credential : nil }

    /// Notes that the own credential was refused in a scheme that needs a challenge first.
    mutating func refuseOwn() {
        isOwnRefused = true
    }

    /// Whether the latest exchange sent any credential.
    var hasUses: Bool { serverUse != nil || proxyUse != nil }

    /// The credentials that the latest exchange sent, if a response with this head means that they were accepted.
    func uses(acceptedWith head: ResponseHead) -> [CredentialCache.Use] {
        guard hasUses, head.statusCode != 401, head.statusCode != 407 else {
            return []
        }
        return [serverUse, proxyUse].compactMap { $0 }
    }

    /// The credential that the latest exchange sent to the server or to the proxy.
    func use(isProxy: Bool) -> CredentialCache.Use? {
        isProxy ? proxyUse : serverUse
    }
}
