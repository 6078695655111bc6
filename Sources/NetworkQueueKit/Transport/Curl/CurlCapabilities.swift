#if canImport(Glibc)
    import CCurl
    import Foundation

    /// What a libcurl can do, as far as it is not the same with all that are used.
    struct CurlCapabilities {
        /// As 0xXXYYZZ.
        var version: UInt32
        /// Whether it is built with HTTP/3.
        var hasHTTP3: Bool
        /// Whether it can speak TLS with a proxy.
        var hasHTTPSProxy: Bool
        /// Name and version of the TLS library beneath.
        var tlsLibrary: String

        /// Those of the loaded one; `nil` where none can be loaded.
        static let loaded: CurlCapabilities? = {
            guard CurlLibrary.isAvailable else { return nil }
            let features = ccurl_features()
            return CurlCapabilities(
                version: ccurl_version_number(), hasHTTP3: features & Int32(CCURL_VERSION_HTTP3) != 0,
                hasHTTPSProxy: features & Int32(CCURL_VERSION_HTTPS_PROXY) != 0, tlsLibrary: tlsLibrary)
        }()

        /// Name and version of the TLS library beneath the loaded one; empty where there is none.
        static var tlsLibrary: String { CurlLibrary.isAvailable ? String(cString: ccurl_tls_library()) : "" }

        /// Whether it can ask for HTTP/3 and make do with less. Before 7.88 it was that or nothing.
        var canPreferHTTP3: Bool { hasHTTP3 && version >= 0x07_58_00 }

        /// The version as libcurl itself writes it.
        private var versionText: String { "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)" }

        /// Says what such a libcurl cannot honour of a configuration.
        func check(_ configuration: TransportConfiguration) throws(NetworkError) {
            if configuration.httpVersion == .http3, !canPreferHTTP3 {
                throw .unsupported(
                    "httpVersion is .http3, which needs libcurl 7.88 or later, built with HTTP/3. This system’s is "
                        + "\(versionText), \(hasHTTP3 ? "with" : "without") it.")
            }
            if let proxy = configuration.proxy { try check(proxy: proxy) }
            // What becomes of an end without the alert is the TLS library's decision; of these it is known.
            let isKnown = ["OpenSSL", "LibreSSL", "BoringSSL", "quictls"].contains(where: tlsLibrary.hasPrefix)
            if configuration.allowsIncompleteTLSClose, !isKnown {
                throw .unsupported(
                    "allowsIncompleteTLSClose cannot be had with the TLS library of this system’s libcurl "
                        + "(\(tlsLibrary.isEmpty ? "none" : tlsLibrary)).")
            }
        }

        /// libcurl takes what has no scheme for the host of one that speaks HTTP, with or without a port.
        private func check(proxy: URL) throws(NetworkError) {
            let text = proxy.absoluteString.lowercased()
            guard let mark = text.range(of: "://") else { return }
            let schemes = ["http", "socks4", "socks4a", "socks5", "socks5h"] + (hasHTTPSProxy ? ["https"] : [])
            let scheme = String(text[..<mark.lowerBound])
            guard schemes.contains(scheme) else {
                // Anything else may have a password in it.
                let name = ["https", "ftp", "quic", "socks"].contains(scheme) ? "“\(scheme)”" : "another"
                throw .unsupported(
                    "The scheme of the proxy is \(name), and this system’s libcurl knows "
                        + schemes.joined(separator: ", ")
                        + ".")
            }
        }
    }

    extension CurlTransport {
        /// Says what the loaded libcurl cannot honour of a configuration.
        static func check(_ configuration: TransportConfiguration) throws(NetworkError) {
            guard let capabilities = CurlCapabilities.loaded, let easy = ccurl_easy_init() else { return }
            defer { ccurl_easy_cleanup(easy) }
            try capabilities.check(configuration)
            if let name = CurlHandle.setTLSOptions(configuration, on: easy).first {
                throw .unsupported("\(name) cannot be had with this system’s libcurl (\(capabilities.tlsLibrary)).")
            }
        }
    }
#endif
