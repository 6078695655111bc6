#if canImport(Glibc)
    import CCurl
    import Foundation

    /// An easy handle with the options that all exchanges of a transport share. Belongs to the loop's thread.
    ///
    /// Handles are pooled. After a GET or a HEAD on a connection that was there, a handle is used again as it is;
    /// otherwise it is reset first.
    final class CurlHandle {
        enum Method {
            case get, head, other
        }

        let easy: UnsafeMutableRawPointer
        /// The exchange under way, to which the callbacks go. The set of transfers keeps it alive until ``recycle()``.
        var transfer: Unmanaged<CurlTransfer>?
        /// The response's head, as far as it is there.
        let head = ResponseHeadParser()
        let errorBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CCURL_ERROR_SIZE))
        let configuration: TransportConfiguration
        let proxy: CurlProxy
        /// The set that owns its connections.
        let multi: CurlMulti
        /// What `headerList` was made of, where it can be used for the next exchange as well.
        struct ListedFields: Equatable {
            let headers: HTTPHeaders
            let isSecure: Bool
        }

        /// The header fields of the exchange.
        var headerList: UnsafeMutableRawPointer?
        var listedFields: ListedFields?
        var proxyHeaderList: UnsafeMutableRawPointer?
        var method = Method.get
        /// Whether libcurl has been told to connect.
        private var demandsConnection = false

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

        /// Calls `body` with the exchange under way on the handle that libcurl knows as `context`, and with that;
        /// returns `nil` without an exchange.
        ///
        /// Without counting a reference: libcurl calls back a dozen times for a small response.
        @discardableResult
        static func withTransfer<Result>(
            of context: UnsafeMutableRawPointer?, _ body: (CurlTransfer, CurlHandle) -> Result
        ) -> Result? {
            guard let context else { return nil }
            return Unmanaged<CurlHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { handle in
                handle.transfer?._withUnsafeGuaranteedRef { body($0, handle) }
            }
        }

        /// libcurl's own words for the latest failure; empty when it has none.
        var errorMessage: String { String(cString: errorBuffer) }

        /// Makes the handle fit for any other exchange.
        ///
        /// - Parameter isShared: whether the connection was one that others share.
        func recycle(isShared: Bool = false) {
            transfer = nil
            head.reset()
            // From one exchange to the next libcurl before 8.17 goes on counting how often a connection was lost, or a
            // stream refused, before the response: at the sixth it would give up instead of trying again. Over HTTP/1.1
            // it has mostly connected anew then; over HTTP/2 it need not have.
            let mustReset = method == .other || hasConnected || isShared && CurlLibrary.version < 0x08_11_00
            guard mustReset || demandsConnection else { return }
            ccurl_easy_reset(easy)
            setSharedOptions()
            method = .get
            demandsConnection = false
        }

        /// Why a proxy of SOCKS has made no connection (CURLproxycode); 0 where it has, or that is not known.
        var proxyError: Int {
            var code = 0
            return ccurl_easy_get_long(easy, CCURLINFO_PROXY_ERROR, &code) == 0 ? code : 0
        }

        /// Why the system made no connection; `nil` where it does not say.
        var connectError: POSIXError? {
            var code = 0
            guard ccurl_easy_get_long(easy, CCURLINFO_OS_ERRNO, &code) == 0, code != 0 else { return nil }
            return POSIXErrorCode(rawValue: Int32(truncatingIfNeeded: code)).map { POSIXError($0) }
        }

        /// Whether a connection was made for the exchange.
        var hasConnected: Bool {
            var count = 0
            return ccurl_easy_get_long(easy, CCURLINFO_NUM_CONNECTS, &count) == 0 && count > 0
        }

        /// Whether the exchange under way has, or has had, a connection.
        var isConnected: Bool {
            var microseconds: Int64 = 0
            return ccurl_easy_get_offset(easy, CCURLINFO_PRETRANSFER_TIME_T, &microseconds) == 0 && microseconds > 0
        }

        /// Whether the request may be sent over a connection: not where that has been used before, and libcurl would
        /// take for the response what has come since.
        func maySend(_ transfer: CurlTransfer, over ends: CurlSockets.Ends) -> Bool {
            transfer.beginSending()
            let head = method == .head ? transfer.exchange.url : nil
            let isShared = !transfer.speaksHTTP1
            guard let reuse = multi.sockets.use(ends, head: head, isShared: isShared) else { return true }
            // Content after a HEAD may be still to come.
            let isExpected = multi.sockets.contentAfterHead.contains(reuse.head)
            transfer.begin(after: reuse.head, isStale: reuse.hasInput || isExpected)
            return !transfer.isStale
        }

        /// Makes libcurl connect for the exchange under way; ``recycle()`` takes that back.
        func demandConnection() {
            errorBuffer.pointee = 0
            demandsConnection = true
            set(CCURLOPT_FRESH_CONNECT, 1)
        }

        /// Whether the header lines that arrive are a proxy's answer to CONNECT: the server has not said anything yet.
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
            set(CCURLOPT_NOSIGNAL, 1)
            set(CCURLOPT_FOLLOWLOCATION, 0)
            // The path goes out as it is in the URL: Digest has signed it.
            set(CCURLOPT_PATH_AS_IS, 1)
            set(CCURLOPT_TCP_NODELAY, 1)
            listedFields = nil
            set(CCURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
            set(CCURLOPT_ERRORBUFFER, errorBuffer)
            // One more, since libcurl cuts its times to whole milliseconds; 0 would mean its own default.
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
                // Without it, cancelling during a name look-up blocks the loop until the resolver gives up.
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
                // From its own credentials libcurl would make Basic, unasked.
                set(CCURLOPT_PROXY, (configuration.proxyWithoutCredential ?? proxy).absoluteString)
                // A proxy that wants credentials says so in its answer to CONNECT.
                set(CCURLOPT_SUPPRESS_CONNECT_HEADERS, 0)
                // What the configuration says is not for the environment's NO_PROXY to overrule.
                set(CCURLOPT_NOPROXY, "")
            case .environment: break
            case .none: set(CCURLOPT_NOPROXY, "*")
            }
        }

        // An option that this libcurl does not know is refused and leaves it at its default, which is safe for all of
        // the above.

        func set(_ option: ccurl_option, _ value: Int) { _ = ccurl_easy_set_long(easy, option, value) }
        func set(_ option: ccurl_option, _ value: String) {
            // Passed as it is, it would be copied first.
            value.withCString { _ = ccurl_easy_set_string(easy, option, $0) }
        }
        func set(_ option: ccurl_option, _ value: UnsafeRawPointer?) {
            _ = ccurl_easy_set_pointer(easy, option, value)
        }
    }
#endif
