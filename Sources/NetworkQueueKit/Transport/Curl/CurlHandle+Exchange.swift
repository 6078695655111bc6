#if canImport(Glibc)
    import CCurl
    import Foundation

    /// Sets the options that differ between exchanges.
    extension CurlHandle {
        /// Sets the handle up for `transfer`.
        func prepare(for transfer: CurlTransfer, url: String) {
            let exchange = transfer.exchange
            self.transfer = .passUnretained(transfer)
            errorBuffer.pointee = 0
            setURL(url)
            let isSecure = Self.isSecure(url)
            if case .environment = proxy {
                // For CONNECT, libcurl chooses the scheme and handles the answers by itself. For plain http, the head
                // of its second response would be taken for trailers, so it must not need a second request.
                let schemes = CCURLAUTH_BASIC | (isSecure ? CCURLAUTH_DIGEST : 0)
                set(CCURLOPT_PROXYAUTH, Int(schemes))
            }
            setTarget(exchange, url: url, isSecure: isSecure)
            // Whether the exchange waits for a connection that is being made and can probably be shared, instead of
            // making another. 7.87 and 7.88 wait only if there is no other connection.
            let waitsToShare = transfer.server.map { $0.sharesConnections != false } ?? false
            set(CCURLOPT_PIPEWAIT, waitsToShare ? 1 : 0)
            setMethod(exchange)
            transfer.expectsContinue = mayExpectContinue(transfer)
            setHeaders(exchange, isSecure: isSecure, expectsContinue: transfer.expectsContinue)
            if transfer.needsConnection || transfer.server?.mayBeDead == true { demandConnection() }
            if transfer.forcesHTTP1 {
                set(CCURLOPT_HTTP_VERSION, Int(CCURL_HTTP_VERSION_1_1))
                // Earlier versions would reuse an HTTP/2 connection.
                if CurlLibrary.version < 0x07_58_00 { demandConnection() }
            }
        }

        private func setURL(_ text: String) {
            let parts = url.take(text)
            if parts != urlParts {
                urlParts = parts
                set(CCURLOPT_CURLU, parts)
            }
            // libcurl needs both: before 8.12 it prefers the text of an earlier request to the parts, and since then it
            // forgets the text when it gets the parts.
            set(CCURLOPT_URL, text)
        }

        /// Sends the target as written if libcurl would change it.
        ///
        /// libcurl 8 capitalizes the hexadecimal digits of percent escapes, which would break a signature. A proxy that
        /// is asked for the whole URL still gets it capitalized.
        private func setTarget(_ exchange: HTTPExchange, url: String, isSecure: Bool) {
            let asksProxyForURL =
                switch proxy {
                case .none: false
                case .environment: !isSecure
                case .named: !isSecure && configuration.hasHTTPProxy
                }
            if !asksProxyForURL, url.hasSmallEscape {
                set(CCURLOPT_REQUEST_TARGET, exchange.requestTarget)
            } else {
                set(CCURLOPT_REQUEST_TARGET, nil)
            }
        }

        private func setMethod(_ exchange: HTTPExchange) {
            switch exchange.method {
            case "GET" where exchange.body == nil:
                if method != .get { set(CCURLOPT_HTTPGET, 1) }
                method = .get
            case "HEAD":
                // With CUSTOMREQUEST alone, libcurl would wait for a body.
                set(CCURLOPT_NOBODY, 1)
                method = .head
            default:
                if method == .head { set(CCURLOPT_HTTPGET, 1) }
                method = .other
                set(CCURLOPT_CUSTOMREQUEST, exchange.method)
                // Methods that define a meaning for content send an explicit length of 0 (RFC 9110, section 8.6).
                if exchange.body != nil || ["POST", "PUT", "PATCH"].contains(exchange.method) {
                    setUpload(length: exchange.body?.length ?? 0, idleTimeout: exchange.idleTimeout)
                }
            }
        }

        /// Whether to send `Expect: 100-continue` before the content. Otherwise all content would be sent even if the
        /// server refuses it, and the server's answer could be lost. With a client certificate, smaller content gets
        /// the field, too: a server that wants the certificate for only some of its resources buffers little of a body
        /// until it has the certificate.
        private func mayExpectContinue(_ transfer: CurlTransfer) -> Bool {
            guard let length = transfer.exchange.body?.length else { return false }
            guard length > (configuration.clientCertificate == nil ? Self.ownExpectLength : 128 * 1024) else {
                return false
            }
            return transfer.server?.sharesConnections != true && transfer.exchange.headers.mayGain("Expect")
                && !multi.unansweredExpect.contains(transfer.exchange.url)
        }

        /// The length above which libcurl sends `Expect` by itself, only over HTTP/1.1 and unless told not to.
        private static let ownExpectLength: Int64 = 1024 * 1024

        private func setUpload(length: Int64, idleTimeout: Duration?) {
            set(CCURLOPT_UPLOAD, 1)
            _ = ccurl_easy_set_offset(easy, CCURLOPT_INFILESIZE_LARGE, length)
            _ = ccurl_easy_set_data_callback(easy, CCURLOPT_READFUNCTION, curlRead)
            _ = ccurl_easy_set_seek_callback(easy, curlSeek)
            _ = ccurl_easy_set_progress_callback(easy, curlProgress)
            set(CCURLOPT_NOPROGRESS, 0)
            set(CCURLOPT_UPLOAD_BUFFERSIZE, 256 * 1024)
            // At most half the idle timeout, so that the wait does not count as silence.
            let idleTimeout = idleTimeout ?? configuration.idleTimeout
            set(CCURLOPT_EXPECT_100_TIMEOUT_MS, min(1000, max(1, (idleTimeout / 2).wholeMilliseconds)))
        }

        private func setHeaders(_ exchange: HTTPExchange, isSecure: Bool, expectsContinue: Bool) {
            setProxyHeaders(exchange)
            // Most GETs have the same fields as the one before. Listing them again, and having libcurl format the
            // agent's line, took 4 % of the instructions of a small request.
            let listed = ListedFields(headers: exchange.headers, isSecure: isSecure)
            if method != .other, listed == listedFields { return }
            // A CONNECT request carries only this option, never the header fields.
            if isSecure { set(CCURLOPT_USERAGENT, configuration.userAgent) } else { set(CCURLOPT_USERAGENT, nil) }
            let list = makeHeaderList(exchange, isSecure: isSecure, expectsContinue: expectsContinue)
            set(CCURLOPT_HTTPHEADER, list)
            ccurl_slist_free_all(headerList)
            headerList = list
            listedFields = method == .other ? nil : listed
        }

        private func makeHeaderList(
            _ exchange: HTTPExchange, isSecure: Bool, expectsContinue: Bool
        ) -> UnsafeMutableRawPointer? {
            var list: UnsafeMutableRawPointer?
            if !isSecure, exchange.headers.mayGain("User-Agent") {
                list = ccurl_slist_append(list, "User-Agent: \(configuration.userAgent)")
            }
            for field in exchange.headers where !field.isFraming {
                list = ccurl_slist_append(list, Self.line(field))
            }
            if method == .other {
                // Waiting for 100 Continue costs a second with servers that never send it, and libcurl would invent a
                // Content-Type for a body without one.
                if !expectsContinue {
                    list = ccurl_slist_append(list, "Expect:")
                } else if exchange.body?.length ?? 0 <= Self.ownExpectLength {
                    list = ccurl_slist_append(list, "Expect: 100-continue")
                }
                if exchange.headers.mayGain("Content-Type") { list = ccurl_slist_append(list, "Content-Type:") }
            }
            for name in exchange.headers.suppressedNames where !exchange.headers.contains(name) {
                let field = HTTPHeaders.Field(name: name, value: "")
                if !field.isFraming, name.lowercased() != "host" { list = ccurl_slist_append(list, "\(name):") }
            }
            return list
        }

        private static func isSecure(_ url: String) -> Bool {
            url.utf8.dropFirst(4).first.map { $0 | 0x20 } == UInt8(ascii: "s")
        }

        /// A field in libcurl's notation: `Name;` sends an empty value, and `Name:` removes libcurl's own field.
        private static func line(_ field: HTTPHeaders.Field) -> String {
            guard field.value.isEmpty else { return "\(field.name): \(field.value)" }
            return field.name.lowercased() == "accept" ? "\(field.name):" : "\(field.name);"
        }

        /// Sets the fields for the proxy. With CONNECT the server never sees them, and without a proxy they are not
        /// sent.
        private func setProxyHeaders(_ exchange: HTTPExchange) {
            let list = exchange.proxyAuthorization.flatMap { ccurl_slist_append(nil, "Proxy-Authorization: \($0)") }
            if list != nil || proxyHeaderList != nil { set(CCURLOPT_PROXYHEADER, list) }
            ccurl_slist_free_all(proxyHeaderList)
            proxyHeaderList = list
        }
    }

    extension String {
        /// Whether a percent escape has a lowercase hexadecimal digit.
        fileprivate var hasSmallEscape: Bool {
            var text = self
            return text.withUTF8 { bytes in
                var rest = UnsafeRawBufferPointer(bytes)
                while let percent = rest.position(of: UInt8(ascii: "%")) {
                    rest = UnsafeRawBufferPointer(rebasing: rest[(percent + 1)...])
                    if rest.prefix(2).contains(where: { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "f") }) {
                        return true
                    }
                }
                return false
            }
        }
    }
#endif
