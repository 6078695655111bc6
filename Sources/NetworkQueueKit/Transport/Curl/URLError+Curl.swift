#if canImport(Glibc)
    import CCurl
    import Foundation

    extension URLError {
        /// The error for a CURLcode other than 0. Its `userInfo` contains the code and libcurl's message, or only
        /// libcurl's general description of the code if the message may contain a proxy's credentials.
        ///
        /// For a TLS fault the localized description is ours and does not depend on the TLS library.
        ///
        /// - Parameter url: the URL of the exchange.
        init(curlCode: Int32, url: URL, handle: CurlHandle?) {
            let general = String(cString: ccurl_easy_strerror(curlCode))
            var message = handle?.errorMessage ?? ""
            if message.isEmpty { message = general }
            let fault = handle.flatMap { $0.tlsFault(curlCode: curlCode, message: message) }
            let code = fault?.code ?? Self.code(for: curlCode, message: message, proxyError: handle?.proxyError ?? 0)
            let isHandshakeCut = curlCode == 35 && code == .networkConnectionLost
            let proxy = handle.flatMap { Self.failedProxy(curlCode: curlCode, url: url, message: message, $0) }
            // The messages for a proxy's name (5) and the handshake with it (97) quote the proxy.
            if [5, 97].contains(curlCode) || ProxySecrets(configured: handle?.configuration.proxy).mayBe(in: message) {
                message = general
            }
            var userInfo: [String: Any] = [
                "CURLcode": Int(curlCode), "CURLmessage": message,
                NSLocalizedDescriptionKey: fault?.sentence ?? message,
            ]
            userInfo.merge(Self.userInfo(isHandshakeCut: isHandshakeCut)) { _, own in own }
            if code == .cannotConnectToHost, let reason = handle?.connectError {
                userInfo[NSUnderlyingErrorKey] = reason
            }
            // CURLPX_USER_REJECTED
            let isRefused = curlCode == 97 && handle?.proxyError == 33
            self.init(
                code,
                userInfo: userInfo.merging(Self.userInfo(failedProxy: proxy, refusesCredential: isRefused)) { own, _ in
                    own
                })
        }

        /// The proxy at which the exchange failed; see ``URLError/failedProxy``.
        private static func failedProxy(curlCode: Int32, url: URL, message: String, _ handle: CurlHandle) -> String? {
            let isCertain =
                switch curlCode {
                case 5, 97: true
                // An exchange with a server over plain http uses TLS only for the proxy.
                case 35, 60, 83, 90, 91:
                    handle.configuration.proxy?.scheme?.lowercased() == "https" && url.scheme?.lowercased() == "http"
                default: false
                }
            guard isCertain || [7, 28, 56].contains(curlCode) else { return nil }
            return ProxyFailure(configured: handle.configuration.proxy)
                .place(for: url, message: message, isCertain: isCertain)
        }

        private static func code(for curlCode: Int32, message: String, proxyError: Int) -> URLError.Code {
            switch curlCode {
            // Schemes were checked before, so this means the protocol of the response, such as HTTP/0.9.
            case 1: return .badServerResponse
            case 3: return .badURL
            case 5, 6: return .cannotFindHost
            // libcurl 8.23 uses this code if a proxy refuses a tunnel; before, it was 56.
            case 7 where message.hasPrefix("CONNECT tunnel failed"): return .networkConnectionLost
            case 7, 45, 89, 96: return .cannotConnectToHost
            // A SOCKS proxy wants other credentials (CURLproxycode 12 and 33, 7 and 8 if it asks identd, 10 and 11 for
            // ones that are too long), or it has not connected to the server, as an HTTP proxy may refuse CONNECT.
            case 97:
                return [7, 8, 10, 11, 12, 33].contains(proxyError)
                    ? .userAuthenticationRequired : .networkConnectionLost
            // Header fields beyond libcurl's limits: code 27 (out of memory) for one line, 56 or 100 for all of them.
            case 8, 22, 25, 27, 33, 36, 100: return .badServerResponse
            case 56 where message.hasPrefix("Too large response headers"): return .badServerResponse
            case 16, 18, 52, 55, 56, 80, 92, 95: return .networkConnectionLost
            case 23: return .cannotWriteToFile
            case 26, 65: return .requestBodyStreamExhausted
            case 28: return .timedOut
            case 35 where TLSFault.isCut(message): return .networkConnectionLost
            case 35, 59, 64, 77, 82, 101: return .secureConnectionFailed
            case 42: return .cancelled
            case 47: return .httpTooManyRedirects
            case 58: return .clientCertificateRejected
            case 60, 83, 90, 91: return .serverCertificateUntrusted
            case 61: return .cannotDecodeContentData
            case 63: return .dataLengthExceedsMaximum
            case 67, 94: return .userAuthenticationRequired
            case 98: return .clientCertificateRequired
            default: return .unknown
            }
        }
    }
#endif
