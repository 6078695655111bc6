#if canImport(Glibc)
    /// The gates of all servers over TLS that a loop speaks with. Belongs to the loop's thread.
    ///
    /// A class, since libcurl asks it while the loop lets libcurl work.
    final class ServerGates {
        /// How many servers without exchanges are remembered, about; each takes some 300 bytes.
        static let capacity = 4096

        /// How long exchanges wait for one that is connecting, before one more connects beside it.
        let patience: Duration
        private var servers: [String: GatedServer] = [:]
        /// With how many of them those without exchanges are forgotten.
        private var remembered = capacity
        /// The servers with a pioneer.
        private var connecting: [ObjectIdentifier: GatedServer] = [:]

        /// - Parameter connectTimeout: how long a connection may take: in proportion to that others wait for one that is being made.
        init(connectTimeout: Duration) {
            let share = connectTimeout / TransportConfiguration().connectTimeout
            // A multiple of the longest duration could not be told.
            patience = ServerGate.usualPatience * min(share, 1000)
        }

        /// The server of a URL, as it is known here; `nil` without TLS, where a server would not say what it speaks.
        static func name(of url: String) -> String? {
            let bytes = url.utf8
            guard let start = bytes.index(bytes.startIndex, offsetBy: 8, limitedBy: bytes.endIndex),
                bytes.dropFirst(4).first.map({ $0 | 0x20 }) == UInt8(ascii: "s")
            else { return nil }
            let end = bytes[start...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
            return String(url[..<(end ?? bytes.endIndex)])
        }

        /// Whether an exchange may go to libcurl; else it is kept until it is handed out.
        func admit(_ transfer: CurlTransfer, to url: String, now: Duration) -> Bool {
            guard let name = Self.name(of: url) else { return true }
            let server = server(name)
            transfer.server = server
            defer { watch(server) }
            return server.admit(transfer, now: now)
        }

        /// Notes that an exchange goes by HTTP/1.1, past the gate; returns whether that changes anything.
        func forceHTTP1(_ url: String) -> Bool {
            guard let name = Self.name(of: url) else { return false }
            let server = server(name)
            guard server.gate.sharing != .unshared else { return false }
            server.isBypassed = true
            return true
        }

        private func server(_ name: String) -> GatedServer {
            if let server = servers[name] { return server }
            if servers.count > remembered {
                servers = servers.filter { $0.value.isInUse }
                remembered = max(Self.capacity, servers.count * 2)
            }
            let server = GatedServer(patience: patience)
            servers[name] = server
            return server
        }

        /// Whether libcurl may make a connection for an exchange; if not, the exchange is to be taken back.
        func mayConnect(_ transfer: CurlTransfer, now: Duration) -> Bool {
            guard let server = transfer.server else { return true }
            defer { watch(server) }
            return server.mayConnect(transfer, now: now)
        }

        /// Notes the end of an exchange, whose handle is still its own; returns those that may go now.
        func end(_ transfer: CurlTransfer, now: Duration) -> [CurlTransfer] {
            guard let server = transfer.server else { return [] }
            server.end(transfer, now: now)
            defer { watch(server) }
            return server.release(now: now)
        }

        /// Looks after those that are connecting, once libcurl has begun with all that it was given; returns exchanges that may go now.
        func update(now: Duration) -> [CurlTransfer] {
            guard !connecting.isEmpty else { return [] }
            var free: [CurlTransfer] = []
            for server in connecting.values {
                server.settlePioneers()
                free += server.release(now: now)
                watch(server)
            }
            return free
        }

        /// When there is something to look after, if nothing happens before.
        var deadline: Duration? {
            connecting.isEmpty ? nil : connecting.values.lazy.compactMap(\.deadline).min()
        }

        /// All that wait, which do so no longer.
        func removeAllWaiting() -> [CurlTransfer] { servers.values.flatMap { $0.removeAllWaiting() } }

        private func watch(_ server: GatedServer) {
            let id = ObjectIdentifier(server)
            if server.hasPioneers {
                if connecting[id] == nil { connecting[id] = server }
            } else if !connecting.isEmpty {
                connecting[id] = nil
            }
        }
    }
#endif
