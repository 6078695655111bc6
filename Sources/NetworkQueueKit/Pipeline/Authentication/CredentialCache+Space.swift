import Foundation

extension CredentialCache {
    /// Whether a credential is available to try.
    enum Standing {
        case available
        /// The user has no credential for the space.
        case unavailable
        case unknown
    }

    /// The state of one protection space.
    struct Space {
        var demand: ServerChallenge
        /// The number of credentials received so far.
        private(set) var version = 0
        private(set) var credential: URLCredential?
        private(set) var rejected: URLCredential?
        private(set) var failureCount = 0
        var digest: DigestSession?
        var isAsking = false
        /// The latest credential that the server accepted.
        private var accepted: URLCredential?
        /// Whether the user has no credential; requests of this batch do not ask again.
        private(set) var isRefused = false
        /// The version that some resources of the space accept and others refuse, and for which the user has no
        /// replacement.
        private var lastWord: Int?
        var waiting: [Waiter] = []

        init(demand: ServerChallenge) {
            self.demand = demand
        }

        /// Whether there is a newer credential than the one in `use`, with which a request was refused.
        func hasNewerCredential(than use: Use?) -> Bool {
            credential != nil && (use?.version ?? 0) < version
        }

        /// Notes that the server accepted the credential of the current version.
        mutating func noteAcceptance() {
            // While a question is open, `credential` is `nil` and the accepted one is in `rejected`, because another
            // resource refused it.
            accepted = credential ?? rejected
            if isRefused { keepAccepted() }
        }

        /// Allows the user to be asked again.
        mutating func forgetLastWord() {
            guard lastWord != nil else { return }
            lastWord = nil
            failureCount = 0
            rejected = nil
        }

        /// Returns whether a request that was refused with `use` has another credential to try.
        mutating func standing(against demand: ServerChallenge, after use: Use?) -> Standing {
            if isRefused { return .unavailable }
            guard credential != nil else { return .unknown }
            if hasNewerCredential(than: use) { return .available }
            if demand.isStale, let nonce = use?.nonce {
                // The credential is right, only its nonce has expired. The first request to learn this renews it.
                if (digest?.challenge.nonce).equals(bytesOf: nonce) { renew(demand) }
                return .available
            }
            if lastWord == version { return .unavailable }
            rejected = credential
            credential = nil
            failureCount += 1
            return .unknown
        }

        /// Settles the open question with the user's answer.
        mutating func settle(with answer: URLCredential?) {
            isAsking = false
            waiting = []
            if let answer {
                credential = answer
                version += 1
                renew(demand)
            } else if accepted != nil {
                keepAccepted()
            } else {
                isRefused = true
            }
        }

        /// Keeps a credential that some resources accept, and stops asking on behalf of the others.
        private mutating func keepAccepted() {
            isRefused = false
            credential = accepted
            lastWord = version
        }

        private mutating func renew(_ demand: ServerChallenge) {
            self.demand = demand
            switch demand.method {
            case .basic: digest = nil
            case .digest(let challenge): digest = DigestSession(challenge)
            }
        }
    }
}

/// The scope of one credential (RFC 9110, section 11.5).
struct ProtectionSpace: Hashable, Sendable {
    /// The server's origin; `nil` for the proxy, because a transport has only one.
    let origin: Origin?
    /// The owner, if a request or the proxy's URL brings its own credential; `nil` for the credential that the batch
    /// shares.
    let owner: String?
    /// The realm; `nil` stands for all realms of the origin.
    let realm: String?

    var isProxy: Bool { origin == nil }

    static func == (left: ProtectionSpace, right: ProtectionSpace) -> Bool {
        left.origin == right.origin && left.owner.equals(bytesOf: right.owner)
            && left.realm.equals(bytesOf: right.realm)
    }

    /// This space without its realm; for a proxy also without its owner, because all requests send it the same
    /// credential.
    var whole: ProtectionSpace { ProtectionSpace(origin: origin, owner: isProxy ? nil : owner, realm: nil) }
}
