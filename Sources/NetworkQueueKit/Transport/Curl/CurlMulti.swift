#if canImport(Glibc)
    import CCurl

    /// libcurl's multi handle and its connections.
    ///
    /// Unchecked: any thread may wake it. Everything else is confined to the loop's thread, except the release by the
    /// last owner.
    final class CurlMulti: @unchecked Sendable {
        let pointer: UnsafeMutableRawPointer
        /// The sockets of its connections; confined to the loop's thread.
        let sockets = CurlSockets()
        /// The origins that lately did not answer `Expect: 100-continue`, or refused it.
        let unansweredExpect = RememberedOrigins()
        /// The origins that lately answered over HTTP/1.1 only.
        let requiringHTTP1 = RememberedOrigins()

        /// Fails if the system lacks the resources.
        ///
        /// A multi handle that was created while no descriptor was free can never be woken. Only an attempt to wake it
        /// reveals that.
        init?() {
            guard let pointer = ccurl_multi_init() else { return nil }
            self.pointer = pointer
            guard ccurl_multi_wakeup(pointer) == 0 else { return nil }
        }

        deinit { _ = ccurl_multi_cleanup(pointer) }

        func wake() { _ = ccurl_multi_wakeup(pointer) }
    }
#endif
