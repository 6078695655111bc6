#if canImport(Glibc)
    import CCurl

    /// libcurl's set of transfers and its connections.
    ///
    /// Unchecked: it may be woken from any thread; all else is for the loop's thread, and the end for the last owner's.
    final class CurlMulti: @unchecked Sendable {
        let pointer: UnsafeMutableRawPointer
        /// Those of its connections, for the loop's thread.
        let sockets = CurlSockets()
        /// Origins that have not answered `Expect: 100-continue`, or refused it.
        let unansweredExpect = RememberedOrigins()

        /// `nil` where the system lacks what it takes.
        ///
        /// Made while no descriptor was free, a multi handle could never be woken, and only the attempt to wake it
        /// tells.
        init?() {
            guard let pointer = ccurl_multi_init() else { return nil }
            self.pointer = pointer
            guard ccurl_multi_wakeup(pointer) == 0 else { return nil }
        }

        deinit { _ = ccurl_multi_cleanup(pointer) }

        func wake() { _ = ccurl_multi_wakeup(pointer) }
    }
#endif
