/// The parameters of a Digest challenge (RFC 7616, section 3.3).
struct DigestChallenge: Sendable, Equatable {
    struct Algorithm: Sendable, Equatable {
        let hash: HashAlgorithm
        /// Whether this is a `-sess` variant, whose hashed credential is valid for one session.
        let isSession: Bool
        /// The name as the server spells it; `nil` if the server sends none.
        let name: String?

        init?(_ name: String?) {
            self.name = name
            switch name?.utf8.lowercasedText {
            case nil, "md5": (hash, isSession) = (.md5, false)
            case "md5-sess": (hash, isSession) = (.md5, true)
            case "sha-256": (hash, isSession) = (.sha256, false)
            case "sha-256-sess": (hash, isSession) = (.sha256, true)
            default: return nil
            }
        }
    }

    let realm: String
    let nonce: String
    let opaque: String?
    let algorithm: Algorithm
    /// Whether the server supports `qop=auth`, which servers from before 1999 do not.
    let hasQualityOfProtection: Bool
    /// Whether the user name must be hashed, too.
    let hashesUser: Bool
    let isStale: Bool

    /// Fails if a parameter is missing or asks for something unsupported: SHA-512/256, or `auth-int` without `auth`.
    init?(_ parameters: [String: String]) {
        guard let nonce = parameters["nonce"], let algorithm = Algorithm(parameters["algorithm"]) else { return nil }
        if let qop = parameters["qop"] {
            let choices = qop.utf8.split { $0 == UInt8(ascii: ",") || $0.isFieldSpace }.map(\.lowercasedText)
            guard choices.contains("auth") else { return nil }
            hasQualityOfProtection = true
        } else {
            hasQualityOfProtection = false
        }
        self.nonce = nonce
        self.algorithm = algorithm
        realm = parameters["realm"] ?? ""
        opaque = parameters["opaque"]
        hashesUser = parameters["userhash"]?.utf8.lowercasedText == "true"
        isStale = parameters["stale"]?.utf8.lowercasedText == "true"
    }
}
