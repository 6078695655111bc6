#if canImport(Glibc)
    import CCurl
    import Foundation

    /// An easy handle with the options that all exchanges of a transport share. Confined to the loop's thread.
    ///
    /// Handles are pooled. After a GET or HEAD on an existing connection a handle is reused as it is; otherwise it is
    /// reset first.
    final class CurlHandle {
        enum Method {
            case get, head, other
        }

        let easy: UnsafeMutableRawPointer
        /// The current exchange, which receives the callbacks. The set of transfers keeps it alive until ``recycle()``.
        var transfer: Unmanaged<CurlTransfer>?
        /// Parses the head of the response.
        let head = ResponseHeadParser()
        let errorBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CCURL_ERROR_SIZE))
        let configuration: TransportConfiguration
        let proxy: CurlProxy
        /// The multi handle that owns the connections.
        let multi: CurlMulti
        /// The fields from which `headerList` was made, for comparison with those of the next exchange.
        struct ListedFields: Equatable {
            let headers: HTTPHeaders
            let isSecure: Bool
        }

        /// The header fields of the current exchange, as libcurl's list.
        var headerList: UnsafeMutableRawPointer?
        var listedFields: ListedFields?
        var proxyHeaderList: UnsafeMutableRawPointer?
        var method = Method.get
        var url = CurlURL()
        /// The value of `CURLOPT_CURLU`.
        var urlParts: UnsafeMutableRawPointer?
        /// Whether libcurl was told to make a new connection.
        private var demandsConnection = false
        /// The size of the receive buffer. The system hands over as much at a time as fits: raising the size from
        /// 64 KiB to this makes large responses a third faster; a larger buffer does not help.
        ///
        /// The same for all exchanges: with a buffer of less than 16 KiB, libcurl 7.88 can write past its end when
        /// exchanges over HTTP/2 are paused.
        private static let bufferSize = 256 * 1024

        init?(multi: CurlMulti, configuration: TransportConfiguration, proxy: CurlProxy) {
            guard let easy = ccurl_easy_init() else { return nil }
            self.easy = easy
            self.configuration = configuration
            self.proxy = proxy
            self.multi = multi
            setSharedOptions()
        }

        deinit {
            ccurl_easy_cleanup(easy)
            ccurl_slist_free_all(headerList)
            ccurl_slist_free_all(proxyHeaderList)
            errorBuffer.deallocate()
        }

        /// Calls `body` with the current exchange and the handle behind libcurl's `context`; returns `nil` without an
        /// exchange.
        ///
        /// Does not retain them, because libcurl calls back a dozen times for a small response.
        @discardableResult
        static func withTransfer<Result>(
            of context: UnsafeMutableRawPointer?, _ body: (CurlTransfer, CurlHandle) -> Result
        ) -> Result? {
            guard let context else { return nil }
            return Unmanaged<CurlHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { handle in
                handle.transfer?._withUnsafeGuaranteedRef { body($0, handle) }
            }
        }

        /// libcurl's message for the latest failure; empty if there is none.
        var errorMessage: String { String(cString: errorBuffer) }

        /// Whether libcurl has given up after it had repeated the request five times.
        var hasGivenUp: Bool { errorMessage.hasPrefix("Connection died, tried") }

        /// Prepares the handle for any other exchange.
        ///
        /// - Parameter isShared: whether other exchanges may have shared its connection.
        func recycle(isShared: Bool = false) {
            transfer = nil
            head.reset()
            // libcurl before 8.17 counts across exchanges how often a connection was lost, or a stream refused, before
            // the response; at the sixth time it gives up instead of trying again. Over HTTP/1.1 such an exchange has
            // mostly made a new connection, which leads to a reset anyway; over HTTP/2 it may not have.
            let mustReset = method == .other || hasConnected || isShared && CurlLibrary.version < 0x08_11_00
            guard mustReset || demandsConnection else { return }
            ccurl_easy_reset(easy)
            setSharedOptions()
            method = .get
            demandsConnection = false
        }

        /// The reason why a SOCKS proxy made no connection (CURLproxycode); 0 if it did or the reason is unknown.
        var proxyError: Int {
            var code = 0
            return ccurl_easy_get_long(easy, CCURLINFO_PROXY_ERROR, &code) == 0 ? code : 0
        }

        /// The system's reason why no connection was made; `nil` if it gives none.
        var connectError: POSIXError? {
            var code = 0
            guard ccurl_easy_get_long(easy, CCURLINFO_OS_ERRNO, &code) == 0, code != 0 else { return nil }
            return POSIXErrorCode(rawValue: Int32(truncatingIfNeeded: code)).map { POSIXError($0) }
        }

        /// Whether a new connection was made for the exchange.
        var hasConnected: Bool {
            var count = 0
            return ccurl_easy_get_long(easy, CCURLINFO_NUM_CONNECTS, &count) == 0 && count > 0
        }

        /// Whether the current exchange has, or has had, a connection.
        var isConnected: Bool {
            var microseconds: Int64 = 0
            return ccurl_easy_get_offset(easy, CCURLINFO_PRETRANSFER_TIME_T, &microseconds) == 0 && microseconds > 0
        }

        /// Whether the request may be sent over a connection. A reused connection is refused if it has unread input,
        /// which libcurl would take for the response.
        func maySend(_ transfer: CurlTransfer, over ends: CurlSockets.Ends) -> Bool {
            transfer.beginSending(over: ends)
            let head = method == .head ? transfer.exchange.url : nil
            let isShared = !transfer.speaksHTTP1
            guard let reuse = multi.sockets.use(ends, head: head, isShared: isShared) else { return true }
            // Content after a HEAD may still be in transit.
            let isExpected = multi.sockets.contentAfterHead.containsOrigin(of: reuse.head)
            transfer.begin(after: reuse.head, isStale: reuse.hasInput || isExpected)
            return !transfer.isStale
        }

        /// Makes libcurl open a new connection for the current exchange; ``recycle()`` undoes that.
        func demandConnection() {
            errorBuffer.pointee = 0
            demandsConnection = true
            set(CCURLOPT_FRESH_CONNECT, 1)
        }

        /// Whether the header lines are a proxy's answer to CONNECT, so that the server has not answered yet.
        var isConnecting: Bool {
            var status = 0
            return ccurl_easy_get_long(easy, CCURLINFO_RESPONSE_CODE, &status) == 0 && status == 0
        }

        private func setSharedOptions() {
            // The set of transfers keeps the handle alive as long as libcurl may call back.
            let context = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
            for option in [
                CCURLOPT_PRIVATE, CCURLOPT_WRITEDATA, CCURLOPT_HEADERDATA, CCURLOPT_READDATA, CCURLOPT_SEEKDATA,
                CCURLOPT_XFERINFODATA, CCURLOPT_OPENSOCKETDATA,
            ] {
                set(option, context)
            }
            _ = ccurl_easy_set_open_callback(easy, curlOpen)
            set(CCURLOPT_CLOSESOCKETDATA, UnsafeRawPointer(Unmanaged.passUnretained(multi.sockets).toOpaque()))
            _ = ccurl_easy_set_close_callback(easy, curlClose)
            set(CCURLOPT_PREREQDATA, context)
            _ = ccurl_easy_set_prereq_callback(easy, curlBegin)
            // The head goes to the callback for content, too, and before libcurl reads it.
            if CurlLibrary.continuesFreedField { set(CCURLOPT_HEADER, 1) }
            set(CCURLOPT_NOSIGNAL, 1)
            set(CCURLOPT_FOLLOWLOCATION, 0)
            // Send the path exactly as it is in the URL, because Digest signs it.
            set(CCURLOPT_PATH_AS_IS, 1)
            set(CCURLOPT_TCP_NODELAY, 1)
            set(CCURLOPT_BUFFERSIZE, Self.bufferSize)
            listedFields = nil
            urlParts = nil
            // A proxy asks for credentials in its answer to CONNECT.
            set(CCURLOPT_SUPPRESS_CONNECT_HEADERS, 0)
            set(CCURLOPT_ERRORBUFFER, errorBuffer)
            // Add one, because libcurl truncates its times to whole milliseconds; 0 would mean its own default.
            let connectTimeout = min(max(0, configuration.connectTimeout.wholeMilliseconds) + 1, Int(Int32.max))
            set(CCURLOPT_CONNECTTIMEOUT_MS, connectTimeout)
            let idleTime = min(configuration.maxConnectionIdleTime.wholeMilliseconds, Int(Int32.max))
            set(CCURLOPT_MAXAGE_CONN, max(1, (idleTime + 999) / 1000))
            _ = ccurl_easy_set_data_callback(easy, CCURLOPT_WRITEFUNCTION, curlWrite)
            _ = ccurl_easy_set_data_callback(easy, CCURLOPT_HEADERFUNCTION, curlHeader)
            if CurlLibrary.version >= 0x07_55_00 {
                set(CCURLOPT_PROTOCOLS_STR, "http,https")
            } else {
                set(CCURLOPT_PROTOCOLS, 1 | 2)
            }
            if CurlLibrary.version >= 0x07_57_00 {
                // Without it, canceling during a name lookup blocks the loop until the resolver gives up.
                set(CCURLOPT_QUICK_EXIT, 1)
            }
            switch configuration.httpVersion {
            case _ where proxy.isLimitedToHTTP1(): set(CCURLOPT_HTTP_VERSION, Int(CCURL_HTTP_VERSION_1_1))
            case .http3 where CurlCapabilities.loaded?.canPreferHTTP3 == true:
                set(CCURLOPT_HTTP_VERSION, Int(CCURL_HTTP_VERSION_3))
            case .automatic, .http3: set(CCURLOPT_HTTP_VERSION, Int(CCURL_HTTP_VERSION_2TLS))
            case .http1: set(CCURLOPT_HTTP_VERSION, Int(CCURL_HTTP_VERSION_1_1))
            }
            setTLSOptions()
            switch proxy {
            case .named(let proxy):
                // Without credentials, which libcurl would send in the Basic scheme before the proxy asks for them.
                set(CCURLOPT_PROXY, (configuration.proxyWithoutCredential ?? proxy).absoluteString)
                // The environment's NO_PROXY must not override the configuration.
                set(CCURLOPT_NOPROXY, "")
            case .environment: break
            case .none: set(CCURLOPT_NOPROXY, "*")
            }
        }

        // If this libcurl does not know an option, it refuses it and uses its default, which is safe for all of the
        // above.

        func set(_ option: ccurl_option, _ value: Int) { _ = ccurl_easy_set_long(easy, option, value) }
        func set(_ option: ccurl_option, _ value: String) {
            // Without the closure, the string would be copied first.
            value.withCString { _ = ccurl_easy_set_string(easy, option, $0) }
        }
        func set(_ option: ccurl_option, _ value: UnsafeRawPointer?) {
            _ = ccurl_easy_set_pointer(easy, option, value)
        }
    }
#endif
