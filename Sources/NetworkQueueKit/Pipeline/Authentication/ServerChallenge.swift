/// A challenge of a `WWW-Authenticate` or `Proxy-Authenticate` field (RFC 9110, section 11.6.1) that can be answered.
struct ServerChallenge: Sendable, Equatable {
    enum Method: Sendable, Equatable {
        case basic(isUTF8: Bool)
        case digest(DigestChallenge)
    }

    let method: Method
    let realm: String

    var scheme: AuthenticationChallenge.Scheme {
        switch method {
        case .basic: .basic
        case .digest: .digest
        }
    }

    /// Whether only the nonce has expired, so the same credential can be used again.
    var isStale: Bool {
        if case .digest(let challenge) = method { challenge.isStale } else { false }
    }

    /// The strongest challenge of a response that can be answered: Digest with SHA-256, then Digest with MD5, then
    /// Basic.
    ///
    /// - Throws: `.badServerResponse` if there are more challenges than a server can need.
    static func strongest(in head: ResponseHead, isProxy: Bool) throws(NetworkError) -> ServerChallenge? {
        let name = isProxy ? "Proxy-Authenticate" : "WWW-Authenticate"
        guard let challenges = ChallengeParser.challenges(in: head.headers.values(for: name)) else {
            throw .badResponse(
                "\(name) has more than \(ChallengeParser.maximumLength / 1024) KB or \(ChallengeParser.maximumCount) challenges."
            )
        }
        return challenges.compactMap(ServerChallenge.init).max { $0.strength < $1.strength }
    }

    private init?(_ challenge: ChallengeParser.Challenge) {
        realm = challenge.parameters["realm"] ?? ""
        switch challenge.scheme {
        case "basic":
            method = .basic(isUTF8: challenge.parameters["charset"]?.utf8.lowercasedText == "utf-8")
        case "digest":
            guard let digest = DigestChallenge(challenge.parameters) else { return nil }
            method = .digest(digest)
        default:
            return nil
        }
    }

    private var strength: Int {
        switch method {
        case .basic: 0
        case .digest(let challenge): challenge.algorithm.hash == .md5 ? 1 : 2
        }
    }
}
