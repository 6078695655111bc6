#if canImport(Glibc)
    import CCurl
    import Foundation

    /// An easy handle with the options that all exchanges of a transport share. Belongs to the loop's thread.
    ///
    /// Handles are pooled: GETs and HEADs on a connection that was there set only what differs, everything else pays for a
    /// reset afterwards.
    final class CurlHandle {
        private enum Method {
            case get, head, other
        }

        /// The system hands over as much at a time as there is room for: from 64 KiB to this, large responses become a third
        /// faster. Beyond, they do not.
        private static let largestBufferSize = 256 * 1024

        let easy: UnsafeMutableRawPointer
        /// The exchange under way, to which the callbacks go. The set of transfers keeps it alive until ``recycle()``.
        private var transfer: Unmanaged<CurlTransfer>?
        /// The response's head, as far as it is there.
        let head = ResponseHeadParser()
        private let errorBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CCURL_ERROR_SIZE))
        let configuration: TransportConfiguration
        private let proxy: CurlProxy
        /// The set that owns its connections.
        let multi: CurlMulti
        private var url = CurlURL()
        /// The header fields of the exchange, where they are not `bareList`.
        private var headerList: UnsafeMutableRawPointer?
        private var proxyHeaderList: UnsafeMutableRawPointer?
        /// The header fields of most exchanges, without and with TLS: to make them for each took 2 % of the time from one small response
        /// to the next.
        private let bareList: (plain: UnsafeMutableRawPointer?, secure: UnsafeMutableRawPointer?)
        private var method = Method.get
        /// Whether libcurl has been told to connect.
        private var demandsConnection = false

        // What libcurl has been told last, since to tell it again takes time.
        private var urlParts: UnsafeMutableRawPointer?
        private var headerFields: UnsafeMutableRawPointer?
        private var isAgentOption = false
        private var hasTarget = false
        private var bufferSize = 0
        private var waitsToShare = false

        init?(multi: CurlMulti, configuration: TransportConfiguration, proxy: CurlProxy) {
            guard let easy = ccurl_easy_init() else { return nil }
            self.easy = easy
            self.configuration = configuration
            self.proxy = proxy
            self.multi = multi
            let coding = "Accept-Encoding: identity"
            bareList = (
                ccurl_slist_append(ccurl_slist_append(nil, coding), Self.agentLine(configuration)),
                ccurl_slist_append(nil, coding)
            )
            setSharedOptions()
        }

        deinit {
            ccurl_easy_cleanup(easy)
            ccurl_slist_free_all(headerList)
            ccurl_slist_free_all(proxyHeaderList)
            ccurl_slist_free_all(bareList.plain)
            ccurl_slist_free_all(bareList.secure)
            errorBuffer.deallocate()
        }

        /// Calls `body` with the exchange under way on the handle that libcurl knows as `context`, and with that; returns `nil`
        /// without an exchange.
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

        /// Sets the handle up for `transfer`.
        func prepare(for transfer: CurlTransfer, url: String) {
            let exchange = transfer.exchange
            self.transfer = .passUnretained(transfer)
            errorBuffer.pointee = 0
            setURL(url)
            setTarget(exchange, url: url)
            setWaitsToShare(transfer.server.map { $0.sharesConnections != false } ?? false)
            setBufferSize(min(exchange.pacer?.portion ?? .max, Self.largestBufferSize))
            setMethod(exchange)
            transfer.expectsContinue = mayExpectContinue(transfer)
            setHeaders(exchange, isSecure: Self.isSecure(url), expectsContinue: transfer.expectsContinue)
            if transfer.needsConnection { demandConnection() }
            if transfer.forcesHTTP1 {
                set(CCURLOPT_HTTP_VERSION, Int(CCURL_HTTP_VERSION_1_1))
                // Earlier ones would take one of HTTP/2 all the same.
                if CurlLibrary.version < 0x07_58_00 { demandConnection() }
            }
        }

        /// Makes the handle fit for any other exchange.
        ///
        /// - Parameter isShared: whether the connection was one that others share.
        func recycle(isShared: Bool = false) {
            transfer = nil
            head.reset()
            // From one exchange to the next libcurl before 8.17 goes on counting how often a connection was lost, or a stream refused,
            // before the response: at the sixth it would give up instead of trying again. Over HTTP/1.1 it has mostly connected
            // anew then; over HTTP/2 it need not have.
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

        /// Whether the request may be sent over a connection: not where that has been used before, and libcurl would take for the response
        /// what has come since.
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

        private func setURL(_ text: String) {
            let parts = url.parse(text)
            if parts != urlParts {
                urlParts = parts
                set(CCURLOPT_CURLU, parts)
            }
            // Also where the parts count, as versions before 8.12 would go on with the text of the exchange before; and after
            // the parts, as from 8.12 on setting those, or none, takes the text away.
            set(CCURLOPT_URL, text)
        }

        /// Has the target be sent as it is written where libcurl would not do so.
        ///
        /// From a text, libcurl 8 makes the hexadecimal digits of what is percent-encoded capitals, which would spoil a signature. A
        /// proxy that is asked for the whole URL gets it so all the same.
        private func setTarget(_ exchange: HTTPExchange, url: String) {
            let asksProxyForURL =
                switch proxy {
                case .none: false
                case .environment: !Self.isSecure(url)
                case .named: !Self.isSecure(url) && configuration.hasHTTPProxy
                }
            let isNeeded = !asksProxyForURL && url.hasSmallEscape
            if isNeeded {
                set(CCURLOPT_REQUEST_TARGET, exchange.requestTarget)
            } else if hasTarget {
                set(CCURLOPT_REQUEST_TARGET, nil)
            }
            hasTarget = isNeeded
        }

        private func setBufferSize(_ size: Int) {
            guard size != bufferSize else { return }
            bufferSize = size
            set(CCURLOPT_BUFFERSIZE, size)
        }

        /// Sets whether libcurl lets the exchange wait for a connection that is being made and can probably be shared, rather
        /// than make one more. 7.87 and 7.88 do so only if there is no other connection.
        private func setWaitsToShare(_ waits: Bool) {
            guard waits != waitsToShare else { return }
            waitsToShare = waits
            set(CCURLOPT_PIPEWAIT, waits ? 1 : 0)
        }

        private func setMethod(_ exchange: HTTPExchange) {
            switch exchange.method {
            case "GET" where !exchange.hasBody:
                if method != .get { set(CCURLOPT_HTTPGET, 1) }
                method = .get
            case "HEAD":
                // CUSTOMREQUEST alone would wait for a body.
                set(CCURLOPT_NOBODY, 1)
                method = .head
            default:
                if method == .head { set(CCURLOPT_HTTPGET, 1) }
                method = .other
                set(CCURLOPT_CUSTOMREQUEST, exchange.method)
                // Methods that define a meaning for content send an explicit length of 0 (RFC 9110, section 8.6).
                if exchange.hasBody || ["POST", "PUT", "PATCH"].contains(exchange.method) {
                    setUpload(length: exchange.body?.length ?? 0, idleTimeout: exchange.idleTimeout)
                }
            }
        }

        /// Whether a server is asked before content is sent: where it refuses, all of it would be sent for nothing, and the answer be lost.
        /// A server that wants a client certificate for some of its content only buffers little of a body until it has the certificate.
        private func mayExpectContinue(_ transfer: CurlTransfer) -> Bool {
            guard transfer.exchange.hasBody, let length = transfer.exchange.body?.length else { return false }
            guard length > (configuration.clientCertificate == nil ? Self.ownExpectLength : 128 * 1024) else {
                return false
            }
            return transfer.server?.sharesConnections != true && !transfer.exchange.headers.contains("Expect")
                && !multi.unansweredExpect.contains(transfer.exchange.url)
        }

        /// With more content libcurl asks by itself, over HTTP/1.1 alone, unless it is told not to.
        private static let ownExpectLength: Int64 = 1024 * 1024

        private func setUpload(length: Int64, idleTimeout: Duration?) {
            set(CCURLOPT_UPLOAD, 1)
            _ = ccurl_easy_set_offset(easy, CCURLOPT_INFILESIZE_LARGE, length)
            _ = ccurl_easy_set_data_callback(easy, CCURLOPT_READFUNCTION, curlRead)
            _ = ccurl_easy_set_seek_callback(easy, curlSeek)
            _ = ccurl_easy_set_progress_callback(easy, curlProgress)
            set(CCURLOPT_NOPROGRESS, 0)
            set(CCURLOPT_UPLOAD_BUFFERSIZE, 256 * 1024)
            // That it waits must not count as silence.
            let idleTimeout = idleTimeout ?? configuration.idleTimeout
            set(CCURLOPT_EXPECT_100_TIMEOUT_MS, min(1000, max(1, (idleTimeout / 2).wholeMilliseconds)))
        }

        private func setHeaders(_ exchange: HTTPExchange, isSecure: Bool, expectsContinue: Bool) {
            setAgentOption(isSecure)
            let isBare = exchange.isBare && method != .other
            let list = isBare ? nil : makeHeaderList(exchange, isSecure: isSecure, expectsContinue: expectsContinue)
            let fields = !isBare ? list : isSecure ? bareList.secure : bareList.plain
            if fields != headerFields || list != nil { set(CCURLOPT_HTTPHEADER, fields) }
            headerFields = fields
            ccurl_slist_free_all(headerList)
            headerList = list
            setProxyHeaders(exchange)
        }

        private func makeHeaderList(
            _ exchange: HTTPExchange, isSecure: Bool, expectsContinue: Bool
        ) -> UnsafeMutableRawPointer? {
            var list: UnsafeMutableRawPointer?
            for field in exchange.headers where !field.isFraming {
                list = ccurl_slist_append(list, Self.line(field))
            }
            if method == .other {
                // Waiting for 100 Continue costs a second with servers that never send it, and libcurl would
                // invent a Content-Type for a body that has none.
                if !expectsContinue {
                    list = ccurl_slist_append(list, "Expect:")
                } else if exchange.body?.length ?? 0 <= Self.ownExpectLength {
                    list = ccurl_slist_append(list, "Expect: 100-continue")
                }
                if !exchange.headers.contains("Content-Type") { list = ccurl_slist_append(list, "Content-Type:") }
            }
            if !isSecure, !exchange.headers.contains("User-Agent") {
                list = ccurl_slist_append(list, Self.agentLine(configuration))
            }
            return list
        }

        /// Has libcurl itself say who asks, or leaves it to a header field, which takes it less time.
        ///
        /// A CONNECT request carries the option alone, never the header fields.
        private func setAgentOption(_ isOption: Bool) {
            guard isOption != isAgentOption else { return }
            isAgentOption = isOption
            if isOption { set(CCURLOPT_USERAGENT, configuration.userAgent) } else { set(CCURLOPT_USERAGENT, nil) }
        }

        private static func isSecure(_ url: String) -> Bool {
            url.utf8.dropFirst(4).first.map { $0 | 0x20 } == UInt8(ascii: "s")
        }

        /// A field as libcurl wants it: `Name;` is one with an empty value, and `Name:` removes libcurl's own.
        private static func line(_ field: HTTPHeaders.Field) -> String {
            guard field.value.isEmpty else { return "\(field.name): \(field.value)" }
            return field.name.lowercased() == "accept" ? "\(field.name):" : "\(field.name);"
        }

        private static func agentLine(_ configuration: TransportConfiguration) -> String {
            "User-Agent: \(configuration.userAgent)"
        }

        /// Fields for the proxy alone: with CONNECT a server never sees them, and without a proxy they are not sent.
        private func setProxyHeaders(_ exchange: HTTPExchange) {
            let list = exchange.proxyAuthorization.flatMap { ccurl_slist_append(nil, "Proxy-Authorization: \($0)") }
            if list != nil || proxyHeaderList != nil { set(CCURLOPT_PROXYHEADER, list) }
            ccurl_slist_free_all(proxyHeaderList)
            proxyHeaderList = list
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
            urlParts = nil
            headerFields = nil
            isAgentOption = false
            hasTarget = false
            bufferSize = 0
            waitsToShare = false
            set(CCURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
            set(CCURLOPT_ERRORBUFFER, errorBuffer)
            // One more, since libcurl cuts its times to whole milliseconds; 0 would mean its own default.
            let connectTimeout = min(max(0, configuration.connectTimeout.wholeMilliseconds) + 1, Int(Int32.max))
            set(CCURLOPT_CONNECTTIMEOUT_MS, connectTimeout)
            let idleTime = min(configuration.maximumConnectionIdleTime.wholeMilliseconds, Int(Int32.max))
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
                set(CCURLOPT_PROXY, proxy.absoluteString)
                // A proxy that wants credentials says so in its answer to CONNECT.
                set(CCURLOPT_SUPPRESS_CONNECT_HEADERS, 0)
                // What the configuration says is not for the environment's NO_PROXY to overrule.
                set(CCURLOPT_NOPROXY, "")
            case .environment: break
            case .none: set(CCURLOPT_NOPROXY, "*")
            }
        }

        // An option that this libcurl does not know is refused and leaves it at its default, which is safe for all of the above.

        private func set(_ option: ccurl_option, _ value: Int) { _ = ccurl_easy_set_long(easy, option, value) }
        private func set(_ option: ccurl_option, _ value: String) {
            // Passed as it is, it would be copied first.
            value.withCString { _ = ccurl_easy_set_string(easy, option, $0) }
        }
        private func set(_ option: ccurl_option, _ value: UnsafeRawPointer?) {
            _ = ccurl_easy_set_pointer(easy, option, value)
        }
    }
#endif
