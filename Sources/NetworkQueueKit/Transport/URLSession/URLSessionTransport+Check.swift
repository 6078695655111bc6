import Foundation

extension URLSessionTransport {
    /// Throws if `URLSession` does not support the configuration.
    static func check(
        _ configuration: TransportConfiguration, policy: SessionPolicy = .current
    ) throws(NetworkError) {
        let defaults = TransportConfiguration()
        #if canImport(Glibc)
            let advice = "leave it at its default or use CurlTransport."
        #else
            let advice = "leave it at its default."
        #endif
        /// - Parameter hint: what URLSession does instead.
        func refuse(_ name: String, _ isRefused: Bool, _ hint: String? = nil) throws(NetworkError) {
            guard isRefused else { return }
            throw .unsupported("URLSession does not support \(name)\(hint.map { " (\($0))" } ?? ""); \(advice)")
        }
        try refuse(
            "connectTimeout", configuration.connectTimeout != defaults.connectTimeout, "idleTimeout covers connecting")
        try refuse(
            "trustedCertificatesFile", configuration.trustedCertificatesFile != nil,
            "it trusts the authorities that the system trusts")
        try refuse("clientCertificate", configuration.clientCertificate != nil)
        try refuse("pinnedPublicKeys", !configuration.pinnedPublicKeys.isEmpty)
        try refuse("allowsIncompleteTLSClose", configuration.allowsIncompleteTLSClose)
        try refuse("maxConnections", configuration.maxConnections != nil, "it limits connections per host only")
        try refuse(
            "maxConnectionIdleTime", configuration.maxConnectionIdleTime != defaults.maxConnectionIdleTime)
        try refuse("httpVersion .http1", configuration.httpVersion == .http1, "it chooses the version itself")
        guard policy.honorsConnectionSettings else {
            try refuse("httpVersion .http3 on Linux", configuration.httpVersion == .http3)
            try refuse("minTLSVersion on Linux", configuration.minTLSVersion != defaults.minTLSVersion)
            try refuse(
                "proxy on Linux", configuration.proxy != nil,
                "it uses http_proxy and https_proxy of the environment only")
            return
        }
        if let proxy = configuration.proxy, SessionProxy(proxy) == nil {
            throw .unsupported("URLSession supports only http, https and socks5 proxies.")
        }
    }
}
