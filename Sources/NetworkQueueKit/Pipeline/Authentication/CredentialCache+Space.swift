import Foundation

extension CredentialCache {
    /// Whether there is a credential to try.
    enum Standing {
        case available
        /// The user has said so.
        case unavailable
        case unknown
    }

    /// What is known about a protection space.
    struct Space {
        var demand: ServerChallenge
        /// Counts the credentials there have been.
        private(set) var version = 0
        private(set) var credential: URLCredential?
        private(set) var rejected: URLCredential?
        private(set) var failureCount = 0
        var digest: DigestSession?
        var isAsking = false
        /// The latest credential that a request has come through with.
        private var accepted: URLCredential?
        /// The user has no credential: the batch is not asked again.
        private(set) var isRefused = false
        /// The version that some resources of the space accept and others refuse, for which the user has no
        /// replacement.
        private var lastWord: Int?
        var waiting: [Waiter] = []

        init(demand: ServerChallenge) {
            self.demand = demand
        }

        /// Whether there is a credential that a request which was refused with `use` has not tried.
        func hasNewerCredential(than use: Use?) -> Bool {
            credential != nil && (use?.version ?? 0) < version
        }

        /// Notes that a request has come through with the credential of this version.
        mutating func noteAcceptance() {
            // While a question about it is open, and afterwards, it is only known as the one that was rejected
            // elsewhere.
            accepted = credential ?? rejected
            if isRefused { keepAccepted() }
        }

        /// Lets the user be asked again.
        mutating func forgetLastWord() {
            guard lastWord != nil else { return }
            lastWord = nil
            failureCount = 0
            rejected = nil
        }

        /// What there is for a request that was refused with `use`.
        mutating func standing(against demand: ServerChallenge, after use: Use?) -> Standing {
            if isRefused { return .unavailable }
            guard credential != nil else { return .unknown }
            if hasNewerCredential(than: use) { return .available }
            if demand.isStale, let nonce = use?.nonce {
                // Not wrong, only too old: the first to be told so brings the new nonce.
                if digest?.challenge.nonce == nonce { renew(demand) }
                return .available
            }
            if lastWord == version { return .unavailable }
            rejected = credential
            credential = nil
            failureCount += 1
            return .unknown
        }

        /// Settles an open question with the user's answer.
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

        /// Keeps a credential that some resources accept, and stops asking for the others.
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

/// What one credential is for (RFC 9110, section 11.5).
struct ProtectionSpace: Hashable, Sendable {
    /// `nil` for the proxy, of which a transport has one.
    let origin: Origin?
    /// Whose credential it is when a request, or the proxy's URL, brings its own; `nil` for the one that the batch
    /// shares.
    let owner: String?
    /// `nil` stands for all realms of an origin.
    let realm: String?

    var isProxy: Bool { origin == nil }

    /// The same for all realms. All requests send a proxy the same.
    var whole: ProtectionSpace { ProtectionSpace(origin: origin, owner: isProxy ? nil : owner, realm: nil) }
}
