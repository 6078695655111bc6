#if canImport(Glibc)
    /// Decides when an exchange with one server over TLS may go to libcurl, and when libcurl may connect for it, so that no more
    /// connections are made than are needed.
    ///
    /// What a server speaks is known only once it has been tried, and whether a connection has room for one more exchange is known to
    /// libcurl alone, which asks before it makes another. So one exchange at a time connects, the pioneer, and others that would need
    /// a connection wait until they can share that. Where connections are not shared (HTTP/1.1), which is remembered, nothing waits.
    struct ServerGate {
        enum Verdict {
            /// There may be room on a connection, or each exchange needs its own.
            case go
            /// Likely to need a connection: it becomes a pioneer.
            case goAhead
            case wait
        }

        /// Whether exchanges share a connection.
        enum Sharing {
            case unknown
            /// There is a connection, and no response yet: the next exchange shares it or needs one of its own.
            case untried
            /// HTTP/2 and later.
            case shared
            /// HTTP/1.1, or what behaves like it.
            case unshared
        }

        private struct Pioneer {
            /// When one more is let ahead, if this one has not connected by then.
            var deadline: Duration
            /// Whether libcurl has made a connection for it.
            var isConnecting = false
        }

        /// How long others wait for a pioneer, before one more connects beside it, where a connection may take as long as it usually may.
        static let usualPatience = Duration.seconds(2)

        private let patience: Duration

        private(set) var sharing = Sharing.unknown
        /// How many exchanges libcurl has.
        private(set) var liveCount = 0
        private var pioneers: [ObjectIdentifier: Pioneer] = [:]
        /// How many pioneers there may be at a time. Each one that fails, or takes longer than the others' patience, makes room for
        /// one more, so that a server that is gone does not fail its exchanges one after the other; success makes it one again.
        private(set) var width = 1
        /// When a pioneer last failed or was waited for in vain.
        private var latestTrouble: Duration?
        /// How many exchanges have left shared connections, since a pioneer has been connecting, whose places are still free.
        private var freedCount = 0

        init(patience: Duration = Self.usualPatience) {
            self.patience = patience
        }

        var hasPioneers: Bool { !pioneers.isEmpty }

        /// When to look again, if nothing happens before.
        var deadline: Duration? { pioneers.values.lazy.map(\.deadline).min() }

        func isPioneer(_ id: ObjectIdentifier) -> Bool { pioneers[id] != nil }

        mutating func verdict(now: Duration) -> Verdict {
            expire(now: now)
            switch sharing {
            case .unshared: return .go
            case .shared where pioneers.isEmpty || freedCount > 0: return .go
            default: return pioneers.count < width ? .goAhead : .wait
            }
        }

        /// An exchange goes to libcurl.
        mutating func start(_ id: ObjectIdentifier, isPioneer: Bool, now: Duration) {
            liveCount += 1
            if isPioneer {
                addPioneer(id, isConnecting: false, now: now)
            } else if freedCount > 0 {
                freedCount -= 1
            }
        }

        /// Whether libcurl may make a connection for an exchange, for which it has found no room on any; if not, the exchange is to be
        /// taken back.
        mutating func mayConnect(_ id: ObjectIdentifier, now: Duration) -> Bool {
            if sharing == .unshared { return true }
            if let pioneer = pioneers[id] {
                // The only connection there is has one exchange, and takes no second one.
                if sharing == .untried, !pioneer.isConnecting { sharing = .unshared }
                pioneers[id]?.isConnecting = true
                return true
            }
            expire(now: now)
            guard pioneers.count < width else { return false }
            addPioneer(id, isConnecting: true, now: now)
            return true
        }

        private mutating func addPioneer(_ id: ObjectIdentifier, isConnecting: Bool, now: Duration) {
            if pioneers.isEmpty { freedCount = 0 }
            pioneers[id] = Pioneer(deadline: now + patience, isConnecting: isConnecting)
        }

        /// A pioneer has the connection that it needs, and others can share that if it can be shared.
        mutating func settle(_ id: ObjectIdentifier) {
            guard let pioneer = pioneers.removeValue(forKey: id) else { return }
            width = 1
            switch sharing {
            case .unknown: sharing = .untried
            case .untried where !pioneer.isConnecting: sharing = .shared
            default: break
            }
            forgetFreed()
        }

        /// An exchange is over.
        ///
        /// - Parameters:
        ///   - version: that of the response, if there was one.
        ///   - isCancelled: whether it was called off, which says nothing about the server.
        mutating func end(_ id: ObjectIdentifier, version: String?, isCancelled: Bool = false, now: Duration) {
            liveCount -= 1
            if pioneers.removeValue(forKey: id) != nil {
                if version == nil, !isCancelled { noteTrouble(now: now) }
            } else if hasPioneers {
                freedCount += 1
            }
            if let version {
                sharing = version.hasPrefix("HTTP/1") ? .unshared : .shared
            } else if sharing == .untried {
                sharing = .unknown
            }
            forgetFreed()
        }

        /// An exchange for which libcurl might not connect has been taken back.
        mutating func takeBack() { liveCount -= 1 }

        private mutating func forgetFreed() {
            if pioneers.isEmpty { freedCount = 0 }
        }

        private mutating func noteTrouble(now: Duration) {
            width += 1
            latestTrouble = now
        }

        /// Notes what has been waited for in vain, and forgets what is long over.
        private mutating func expire(now: Duration) {
            for (id, pioneer) in pioneers where pioneer.deadline <= now {
                pioneers[id]?.deadline = now + patience
                noteTrouble(now: now)
            }
            if width > 1, pioneers.isEmpty, let latestTrouble, now - latestTrouble >= patience { width = 1 }
        }
    }
#endif
