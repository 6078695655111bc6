#if canImport(Glibc)
    import Foundation

    /// The sockets of libcurl's connections, to detect input that arrives on one before a request is sent over it, and
    /// to end those of an origin that may be dead.
    ///
    /// Few versions of libcurl check for such input; the others take it for the beginning of the response. Before
    /// version 8, libcurl does not report the socket of the connection that it is about to use, only its two ports.
    /// Confined to the loop's thread.
    final class CurlSockets {
        /// How libcurl describes a connection.
        struct Ends: Hashable {
            let remoteAddress: String
            let remotePort: Int32
            let localPort: Int32
        }

        /// A connection that is being reused.
        struct Reuse {
            /// The URL of the latest request, if that was a HEAD.
            let head: URL?
            /// Whether anything has arrived since the latest response, including the end of the connection.
            let hasInput: Bool
        }

        /// Where content has come after the head of a response to a HEAD.
        let contentAfterHead = RememberedOrigins(threshold: 3)

        private struct Connection {
            let socket: Int32
            var head: URL?
        }

        private var connections: [Ends: Connection] = [:]
        private var ends: [Int32: Ends] = [:]
        /// The sockets of connections over which no request has been sent.
        private var unused: Set<Int32> = []
        /// The origins that the sockets of TCP connections were opened for.
        private var origins: [Int32: Origin?] = [:]

        /// - Parameter origin: the only origin that the connection is for; `nil` if there may be others, as through a
        ///   proxy.
        func add(_ socket: Int32, for origin: Origin?, isStream: Bool) {
            remove(socket)
            unused.insert(socket)
            if isStream { origins[socket] = .some(origin) }
        }

        /// Shuts down the connections of an origin over which requests have been sent. libcurl then takes each for one
        /// that the server has closed, which it does not use again.
        ///
        /// Before 7.80, libcurl does not report when a request is sent, so nothing is shut down.
        ///
        /// - Parameter used: the connections that exchanges are using.
        func abandon(_ origin: Origin?, except used: Set<Ends>) {
            for (socket, owner) in origins where owner == origin {
                guard let ends = ends[socket], !used.contains(ends) else { continue }
                _ = shutdown(socket, Int32(SHUT_RDWR))
            }
        }

        func remove(_ socket: Int32) {
            unused.remove(socket)
            origins[socket] = nil
            guard let ends = ends.removeValue(forKey: socket), let connection = connections.removeValue(forKey: ends)
            else { return }
            // Some versions of libcurl check for input by themselves and close the connection.
            if connection.head != nil { _ = hasInput(connection) }
        }

        /// Notes that a request is about to be sent. Returns what is known of its connection if that is being reused.
        ///
        /// - Parameters:
        ///   - head: the URL of the request, if it is a HEAD.
        ///   - isShared: whether other exchanges may share the connection, so that input can come at any time.
        func use(_ ends: Ends, head: URL?, isShared: Bool) -> Reuse? {
            if let connection = connections[ends] {
                guard !isShared else { return nil }
                if head != connection.head { connections[ends]?.head = head }
                return Reuse(head: connection.head, hasInput: hasInput(connection))
            }
            if let socket = unused.first(where: { Self.isSocket($0, between: ends) }) {
                unused.remove(socket)
                connections[ends] = Connection(socket: socket, head: head)
                self.ends[socket] = ends
            }
            return nil
        }

        /// Whether unread input has arrived on a connection; content after a HEAD is remembered.
        private func hasInput(_ connection: Connection) -> Bool {
            var start: UInt64 = 0
            return withUnsafeMutableBytes(of: &start) { buffer in
                let flags = Int32(MSG_PEEK | MSG_DONTWAIT)
                let count = recv(connection.socket, buffer.baseAddress, buffer.count, flags)
                if let head = connection.head, Self.isContent(buffer.prefix(max(0, count)), after: head) {
                    contentAfterHead.insert(head)
                }
                return count >= 0 || errno != EAGAIN && errno != EINTR
            }
        }

        /// Whether the input after a response to a HEAD is its content and not an unrequested response. Over TLS,
        /// whether it is a record of application data that is too long for an alert.
        private static func isContent(_ start: Slice<UnsafeMutableRawBufferPointer>, after head: URL) -> Bool {
            guard start.count >= 5 else { return false }
            let isSecure = head.scheme?.lowercased() == "https"
            return isSecure ? start[0] == 23 && (start[3] > 0 || start[4] > 24) : !start.starts(with: "HTTP/".utf8)
        }

        private static func isSocket(_ socket: Int32, between ends: Ends) -> Bool {
            port(of: socket, getsockname) == ends.localPort && port(of: socket, getpeername) == ends.remotePort
        }

        private static func port(
            of socket: Int32,
            _ name: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
        ) -> Int32? {
            var address = sockaddr_storage()
            var size = socklen_t(MemoryLayout.size(ofValue: address))
            return withUnsafeMutableBytes(of: &address) { bytes in
                // IPv4 and IPv6 addresses have the port in the same place.
                guard name(socket, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size) == 0 else {
                    return nil
                }
                return Int32(UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self)))
            }
        }
    }
#endif
