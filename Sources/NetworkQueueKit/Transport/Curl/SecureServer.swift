#if canImport(Glibc)
    /// The state of one https server. Confined to the loop's thread.
    ///
    /// While no exchange has a connection, one connects and the others wait, because only then is it known whether they
    /// can share the connection (HTTP/2). libcurl can hold them back as well (`CURLOPT_PIPEWAIT`), and does so for
    /// further connections. But it has one list of held transfers for all hosts and retries only the first of them at
    /// each event, so a host that hangs would stall the requests to others, or let them time out.
    final class SecureServer {
        /// Whether exchanges share a connection (HTTP/2 and later); `nil` before the first response.
        private(set) var sharesConnections: Bool?
        /// The exchange for whose connection the others wait.
        private var pioneer: CurlTransfer?
        /// The number of exchanges that libcurl has.
        private var liveCount = 0
        /// Whether one of them has had a connection.
        private var isConnected = false
        /// When anything last arrived over a connection that may be shared, as far as it was noted.
        private(set) var latestArrival = Duration.zero
        /// The exchanges that were as silent as one that has timed out, and still are.
        private var silent: [CurlTransfer] = []
        /// When that exchange timed out.
        private var silenceTime = Duration.zero

        var isInUse: Bool { liveCount > 0 }
        var hasPioneer: Bool { pioneer != nil }

        /// When anything last arrived over a shared connection. This counts as activity for every exchange of the
        /// server, because a server may send its responses one after the other, as Apache does.
        var sharedArrival: Duration { sharesConnections == true ? latestArrival : .zero }

        func noteArrival(for transfer: CurlTransfer) {
            if transfer.isShared { latestArrival = max(latestArrival, transfer.latestArrival) }
        }

        /// Whether the connection of unanswered exchanges may be dead, so that no other exchange should use it.
        var mayBeDead: Bool {
            guard !silent.isEmpty else { return false }
            if silent.contains(where: { $0.latestArrival > silenceTime }) { silent = [] }
            return !silent.isEmpty
        }

        /// Notes the exchanges that share the connection of one that has timed out.
        func noteSilence(of transfers: [CurlTransfer], at now: Duration) {
            silent = sharesConnections == true ? transfers : []
            silenceTime = now
        }

        /// Notes the version of a response.
        ///
        /// - Parameter isConnectionNew: whether the connection was made for this exchange. An older one may come from
        ///   an exchange that had to use HTTP/1.1, which says nothing about the server.
        func note(httpVersion: String, isConnectionNew: Bool) {
            let isShared = !httpVersion.hasPrefix("HTTP/1")
            if isShared || isConnectionNew { sharesConnections = isShared }
        }

        /// Admits an exchange to libcurl; returns `false` if it must wait for the connection of another one.
        func admit(_ transfer: CurlTransfer) -> Bool {
            if sharesConnections != false, !isConnected {
                guard pioneer == nil else { return false }
                pioneer = transfer
            }
            liveCount += 1
            return true
        }

        /// Checks whether the pioneer has its connection.
        func settle() {
            guard pioneer?.handle?.isConnected == true else { return }
            isConnected = true
            pioneer = nil
        }

        /// Notes the end of an admitted exchange. Returns whether it was the last one on a connection that may be dead.
        func end(_ transfer: CurlTransfer) -> Bool {
            noteArrival(for: transfer)
            let wasLast = mayBeDead && silent.count == 1 && silent[0] === transfer
            silent.removeAll { $0 === transfer }
            liveCount -= 1
            if pioneer === transfer { pioneer = nil }
            if liveCount == 0 { isConnected = false }
            return wasLast
        }
    }

    /// The https servers of a loop.
    struct SecureServers {
        /// The approximate number of unused servers that are remembered.
        private static let capacity = 4096

        private var servers: [String: SecureServer] = [:]
        private var limit = capacity

        /// The server of a URL; `nil` for plain http.
        mutating func server(of url: String) -> SecureServer? {
            guard let name = Self.name(of: url) else { return nil }
            if let server = servers[name] { return server }
            if servers.count >= limit {
                servers = servers.filter { $0.value.isInUse }
                limit = max(Self.capacity, servers.count * 2)
            }
            let server = SecureServer()
            servers[name] = server
            return server
        }

        /// The scheme and authority of an https URL; `nil` for any other URL.
        static func name(of url: String) -> String? {
            let bytes = url.utf8
            guard let start = bytes.index(bytes.startIndex, offsetBy: 8, limitedBy: bytes.endIndex),
                bytes.dropFirst(4).first.map({ $0 | 0x20 }) == UInt8(ascii: "s")
            else { return nil }
            let end = bytes[start...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
            return String(url[..<(end ?? bytes.endIndex)])
        }
    }
#endif
