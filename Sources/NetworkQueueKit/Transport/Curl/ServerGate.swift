#if canImport(Glibc)
    /// Decides when an exchange with one server over TLS may go to libcurl, so that no more connections are made than are needed.
    ///
    /// What a server speaks, and how many streams a connection takes, is known only once it has been tried. So one exchange at a time
    /// makes a connection, the pioneer, and others wait until that can be used. With HTTP/2 they share it, up to as many as have been
    /// seen to find room; the next one makes another. With HTTP/1.1, which is remembered, nothing waits any more.
    struct ServerGate {
        enum Verdict {
            /// There is room on the connections, or each exchange needs its own.
            case go
            /// Likely to need a connection: nothing else is to go before it has one.
            case goAhead
            case wait
        }

        /// As many streams as a server should take at least (RFC 9113, section 6.5.2); most take 100 to 256.
        static let assumedRoom = 100
        /// So long others wait for the pioneer. Over a line where connecting takes longer, they make connections of their own.
        static let patience = Duration.seconds(2)

        /// Whether it speaks HTTP/1.1 and nothing newer, as far as is known.
        private(set) var isOld = false
        /// How many exchanges libcurl has.
        private(set) var liveCount = 0
        /// How many connections are there.
        private(set) var connectionCount = 0
        /// How many exchanges find room on one connection.
        private(set) var room = assumedRoom
        /// The exchange that is connecting, and when it is not waited for any more.
        private(set) var pioneer: (id: ObjectIdentifier, deadline: Duration, liveCountBefore: Int)?
        /// Whether connecting has failed, or taken too long: until it works again, nothing waits for it.
        private var isTroubled = false
        /// Whether libcurl has an exchange that it has not begun with. It does not begin with the one first that came first: what
        /// was sent ahead of the others could take the last room from one of these.
        private(set) var hasUnbegun = false

        /// Whether it is worth keeping.
        var isBlank: Bool { !isOld && liveCount == 0 && connectionCount == 0 && !isTroubled }

        var verdict: Verdict {
            if isOld || isTroubled || liveCount < connectionCount * room { return .go }
            return pioneer == nil && !hasUnbegun ? .goAhead : .wait
        }

        /// An exchange goes to libcurl.
        mutating func start(_ id: ObjectIdentifier, isPioneer: Bool, now: Duration) {
            if isPioneer { pioneer = (id, now + Self.patience, liveCount) } else if !isOld { hasUnbegun = true }
            liveCount += 1
        }

        /// libcurl has begun with all that it was given.
        mutating func noteBegun() { hasUnbegun = false }

        /// The pioneer can send its request.
        ///
        /// - Parameter isNew: whether a connection was made for it; otherwise there was room on one.
        mutating func settlePioneer(isNew: Bool) {
            guard let settled = pioneer else { return }
            pioneer = nil
            isTroubled = false
            if isNew {
                if connectionCount > 0 { room = max(1, settled.liveCountBefore / connectionCount) }
                connectionCount += 1
            } else {
                connectionCount = max(connectionCount, 1)
                room = max(room, (liveCount + connectionCount - 1) / connectionCount)
            }
        }

        /// An exchange that was not sent ahead has made a connection all the same: there was less room than had been thought.
        mutating func noteSurplusConnection() {
            if connectionCount > 0, !isTroubled { room = max(1, min(room, (liveCount - 1) / connectionCount)) }
            connectionCount += 1
        }

        mutating func noteClosedConnection() {
            connectionCount = max(0, connectionCount - 1)
        }

        /// Waits no longer for a pioneer whose time is up.
        mutating func expire(now: Duration) {
            guard let pioneer, now >= pioneer.deadline else { return }
            self.pioneer = nil
            isTroubled = true
        }

        /// An exchange is over, or taken back from libcurl.
        ///
        /// - Parameters:
        ///   - version: that of the response, if there was one.
        ///   - isCancelled: whether it was called off, which says nothing about the server.
        mutating func end(_ id: ObjectIdentifier, version: String?, isCancelled: Bool = false) {
            liveCount -= 1
            if pioneer?.id == id {
                pioneer = nil
                isTroubled = version == nil && !isCancelled
            }
            guard let version else { return }
            isOld = version.hasPrefix("HTTP/1")
            isTroubled = false
        }
    }
#endif
