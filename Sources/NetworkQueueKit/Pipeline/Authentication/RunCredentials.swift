import Foundation

/// What one run knows about credentials: its own, and what it has sent.
struct RunCredentials: Sendable {
    /// Where to look for an answer. The own credential comes with its space.
    struct Candidate: Sendable {
        let space: ProtectionSpace
        var own: URLCredential?
    }

    /// How many nonces in a row a server may call stale before it is taken for broken.
    private static let maximumStaleCount = 3
    /// How many challenges of one attempt are answered: a server that goes on, in ever new realms for instance, is
    /// given up.
    static let maximumDemandCount = 20

    /// The request's own credential, or that of its URL. For the first origin only, wherever redirects lead.
    private struct OwnCredential: Sendable {
        let credential: URLCredential
        let home: URL?
        /// Whose it is, for all requests that bring the same one.
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
    /// Whether the latest exchange carried the own credential unasked, in the Basic scheme.
    private var hasSentOwn = false
    private(set) var serverUse: CredentialCache.Use?
    private(set) var proxyUse: CredentialCache.Use?
    /// The spaces that the run was sent to by a demand: there an answer overrules the request's own header field.
    private var demanded: [ProtectionSpace: ProtectionSpace] = [:]
    private var staleCount = 0

    /// - Parameters:
    ///   - credential: what the request brings.
    ///   - sendsUnasked: whether it is sent before a server asks for it.
    ///   - home: its URL.
    init(_ credential: URLCredential?, sendsUnasked: Bool = true, home: @autoclosure () -> URL?) {
        sendsOwnUnasked = sendsUnasked
        if let credential { own = OwnCredential(credential, home: home()) }
    }

    /// Adopts the credential that the request's URL brings, unless there is another.
    mutating func adoptCredential(of url: URL?) {
        guard own == nil, let credential = url?.credential else { return }
        own = OwnCredential(credential, home: url)
    }

    /// Puts what is known into an exchange that is about to start.
    mutating func authorize(_ exchange: inout HTTPExchange, with credentials: CredentialCache) {
        hasSentOwn = false
        serverUse = nil
        proxyUse = nil
        // Taking a URL apart is slow on Linux, and most requests have nothing to do with any of this.
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
        guard wasAsked || !exchange.headers.contains("Authorization") else { return }
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

    /// The space of the own credential at an origin where it may be sent.
    private func ownSpace(_ origin: Origin) -> ProtectionSpace? {
        guard let own, let owner = own.owner, !isOwnRefused, origin == own.home.flatMap(Origin.init) else { return nil }
        return ProtectionSpace(origin: origin, owner: owner, realm: nil)
    }

    /// Where to look for an answer to a demand of this response, in this order.
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

    /// Notes that there is a credential for a space.
    mutating func noteCredential(for space: ProtectionSpace) {
        demanded[space.whole] = space
    }

    /// The own credential, if it was refused.
    var rejectedOwn: URLCredential? { isOwnRefused ? own?.credential : nil }

    /// Notes that the own credential was refused in a scheme that had to be asked for.
    mutating func refuseOwn() {
        isOwnRefused = true
    }

    /// Whether the latest exchange sent anything.
    var hasUses: Bool { serverUse != nil || proxyUse != nil }

    /// What the latest exchange sent, to a server or a proxy, if a response with this head means that it was good.
    func uses(acceptedWith head: ResponseHead) -> [CredentialCache.Use] {
        guard hasUses, head.statusCode != 401, head.statusCode != 407 else {
            return []
        }
        return [serverUse, proxyUse].compactMap { $0 }
    }

    /// The credential that the latest exchange has sent to the server, or to the proxy.
    func use(isProxy: Bool) -> CredentialCache.Use? {
        isProxy ? proxyUse : serverUse
    }
}
