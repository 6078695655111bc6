#if canImport(Glibc)
    import CCurl
    import Glibc

    /// libcurl's set of transfers and its connections.
    ///
    /// Unchecked: it may be woken from any thread; all else is for the loop's thread, and the end for the last owner's.
    final class CurlMulti: @unchecked Sendable {
        let pointer: UnsafeMutableRawPointer
        /// Sockets that libcurl has closed, until the next `takeClosedSockets()`.
        private var closedSockets: [Int32] = []

        /// `nil` where the system lacks what it takes.
        ///
        /// Made while no descriptor was free, a multi handle could never be woken, and only the attempt to wake it tells.
        init?() {
            guard let pointer = ccurl_multi_init() else { return nil }
            self.pointer = pointer
            guard ccurl_multi_wakeup(pointer) == 0 else { return nil }
        }

        deinit { _ = ccurl_multi_cleanup(pointer) }

        func wake() { _ = ccurl_multi_wakeup(pointer) }

        /// Returns the sockets that have been closed since the last call.
        func takeClosedSockets() -> [Int32] {
            guard !closedSockets.isEmpty else { return [] }
            defer { closedSockets = [] }
            return closedSockets
        }

        /// Closes a socket of libcurl's and notes that.
        func close(_ socket: Int32) -> Int32 {
            closedSockets.append(socket)
            return Glibc.close(socket)
        }
    }
#endif
