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
        /// Made while no descriptor was free, a multi handle could never be woken, and only the attempt to wake it tells.
        init?() {
            guard let pointer = ccurl_multi_init() else { return nil }
            self.pointer = pointer
            guard ccurl_multi_wakeup(pointer) == 0 else { return nil }
        }

        deinit { _ = ccurl_multi_cleanup(pointer) }

        func wake() { _ = ccurl_multi_wakeup(pointer) }

        /// Closes a connection that no exchange uses, if there is one. To be called where no exchange is about to connect.
        ///
        /// libcurl does so when the limit for all connections is reached and another one is wanted: one to a place where nothing can
        /// listen, so that it fails at once and gives back what it took.
        func closeIdleConnection() {
            guard let easy = ccurl_easy_init() else { return }
            defer { ccurl_easy_cleanup(easy) }
            _ = ccurl_easy_set_string(easy, CCURLOPT_URL, "http://localhost/")
            _ = ccurl_easy_set_string(easy, CCURLOPT_PROXY, "")
            _ = ccurl_easy_set_string(easy, CCURLOPT_UNIX_SOCKET_PATH, "/")
            _ = ccurl_easy_set_long(easy, CCURLOPT_NOSIGNAL, 1)
            _ = ccurl_multi_set_long(pointer, CCURLMOPT_MAX_TOTAL_CONNECTIONS, 1)
            if ccurl_multi_add_handle(pointer, easy) == 0 {
                var running: Int32 = 0
                _ = ccurl_multi_perform(pointer, &running)
                _ = ccurl_multi_remove_handle(pointer, easy)
            }
            _ = ccurl_multi_set_long(pointer, CCURLMOPT_MAX_TOTAL_CONNECTIONS, 0)
        }
    }
#endif
