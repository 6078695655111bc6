#if canImport(Glibc)
    import CCurl
    import Foundation

    /// The capabilities of a libcurl, as far as they differ among supported versions and builds.
    struct CurlCapabilities {
        /// The version as 0xXXYYZZ.
        var version: UInt32
        /// Whether it was built with HTTP/3.
        var hasHTTP3: Bool
        /// Whether it supports TLS to a proxy.
        var hasHTTPSProxy: Bool
        /// The name and version of its TLS library.
        var tlsLibrary: String

        /// The capabilities of the loaded libcurl; `nil` if none can be loaded.
        static let loaded: CurlCapabilities? = {
            guard CurlLibrary.isAvailable else { return nil }
            let features = ccurl_features()
            return CurlCapabilities(
                version: ccurl_version_number(), hasHTTP3: features & Int32(CCURL_VERSION_HTTP3) != 0,
                hasHTTPSProxy: features & Int32(CCURL_VERSION_HTTPS_PROXY) != 0, tlsLibrary: tlsLibrary)
        }()

        /// The name and version of the loaded libcurl's TLS library; empty if there is none.
        static var tlsLibrary: String { CurlLibrary.isAvailable ? String(cString: ccurl_tls_library()) : "" }

        /// Whether it can ask for HTTP/3 and fall back to an earlier version, which libcurl cannot do before 7.88.
        var canPreferHTTP3: Bool { hasHTTP3 && version >= 0x07_58_00 }

        /// The version in libcurl's own notation.
        private var versionText: String { "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)" }

        /// Throws if such a libcurl does not support the configuration.
        func check(_ configuration: TransportConfiguration) throws(NetworkError) {
            if configuration.httpVersion == .http3, !canPreferHTTP3 {
                throw .unsupported(
                    "httpVersion .http3 needs libcurl 7.88 or later, built with HTTP/3; this system’s is \(versionText) "
                        + "\(hasHTTP3 ? "with" : "without") it.")
            }
            if let proxy = configuration.proxy { try check(proxy: proxy) }
            // The TLS library decides how to treat an end without the closing alert. The behavior of these is known.
            let isKnown = ["OpenSSL", "LibreSSL", "BoringSSL", "quictls"].contains(where: tlsLibrary.hasPrefix)
            if configuration.allowsIncompleteTLSClose, !isKnown {
                throw .unsupported(
                    "The TLS library of this system’s libcurl (\(tlsLibrary.isEmpty ? "none" : tlsLibrary)) does not support "
                        + "allowsIncompleteTLSClose; leave it at its default.")
            }
        }

        /// Checks the proxy's scheme. Without one, libcurl takes the text for the host of an HTTP proxy, with or
        /// without a port.
        private func check(proxy: URL) throws(NetworkError) {
            let text = proxy.absoluteString.lowercased()
            guard let mark = text.range(of: "://") else { return }
            let schemes = ["http", "socks4", "socks4a", "socks5", "socks5h"] + (hasHTTPSProxy ? ["https"] : [])
            let scheme = String(text[..<mark.lowerBound])
            guard schemes.contains(scheme) else {
                // Any other text may contain a password.
                let name =
                    ["https", "ftp", "quic", "socks"].contains(scheme) ? "“\(scheme)” proxies" : "this kind of proxy"
                throw .unsupported(
                    "This system’s libcurl does not support \(name); use \(schemes.dropLast().joined(separator: ", ")) or "
                        + "\(schemes.last ?? "").")
            }
        }
    }

    extension CurlTransport {
        /// Throws if the loaded libcurl does not support the configuration.
        static func check(_ configuration: TransportConfiguration) throws(NetworkError) {
            guard let capabilities = CurlCapabilities.loaded, let easy = ccurl_easy_init() else { return }
            defer { ccurl_easy_cleanup(easy) }
            try capabilities.check(configuration)
            if let name = CurlHandle.setTLSOptions(configuration, on: easy).first {
                throw .unsupported(
                    "This system’s libcurl (\(capabilities.tlsLibrary)) does not support \(name); leave it at its default."
                )
            }
        }
    }
#endif
