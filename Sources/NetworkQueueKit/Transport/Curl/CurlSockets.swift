#if canImport(Glibc)
    import Foundation

    /// The sockets of libcurl's connections, to see whether something has come on one before a request is sent over it:
    /// libcurl looks for that in few versions, and takes what it finds for the beginning of the response. Belongs to
    /// the loop's thread.
    ///
    /// Before 8 libcurl does not tell the socket of a connection that it is about to use, but both of its ports.
    final class CurlSockets {
        /// How libcurl describes a connection.
        struct Ends: Hashable {
            let remoteAddress: String
            let remotePort: Int32
            let localPort: Int32
        }

        /// A connection that is used again.
        struct Reuse {
            /// What was asked for last, if that was by HEAD.
            let head: URL?
            /// Whether something has come since its latest response, be it the end.
            let hasInput: Bool
        }

        /// Origins that have sent content after the head of a response to HEAD.
        let contentAfterHead = RememberedOrigins()

        private struct Connection {
            let socket: Int32
            var head: URL?
        }

        private var connections: [Ends: Connection] = [:]
        private var ends: [Int32: Ends] = [:]
        /// Those of connections over which nothing has been sent.
        private var unused: Set<Int32> = []

        func add(_ socket: Int32) {
            remove(socket)
            unused.insert(socket)
        }

        func remove(_ socket: Int32) {
            unused.remove(socket)
            guard let ends = ends.removeValue(forKey: socket), let connection = connections.removeValue(forKey: ends)
            else { return }
            // Some versions of libcurl look by themselves, and close it.
            if connection.head != nil { _ = hasInput(connection) }
        }

        /// Notes that a request is about to be sent; returns what is known of its connection, if that has been used
        /// before.
        ///
        /// - Parameters:
        ///   - head: what is asked for, where that is by HEAD.
        ///   - isShared: whether something may come at any time.
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

        /// Whether something has come on a connection and has not been read; notes where that is content after a HEAD.
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

        /// Whether what came after the response to a HEAD is its content, and not a response that nothing has asked
        /// for; over TLS, whether it is a record of application data that is too long for an alert.
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
                // Addresses of IPv4 and IPv6 have the port in the same place.
                guard name(socket, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size) == 0 else {
                    return nil
                }
                return Int32(UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self)))
            }
        }
    }
#endif
