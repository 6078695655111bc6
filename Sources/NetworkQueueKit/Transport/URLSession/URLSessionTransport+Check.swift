import Foundation

extension URLSessionTransport {
    /// Throws if `URLSession` does not support the configuration.
    static func check(
        _ configuration: TransportConfiguration, policy: SessionPolicy = .current
    ) throws(NetworkError) {
        let defaults = TransportConfiguration()
        func refuse(_ name: String, _ isRefused: Bool, _ reason: String) throws(NetworkError) {
            if isRefused { throw .unsupported("\(name) cannot be had with URLSession: \(reason)") }
        }
        try refuse(
            "connectTimeout", configuration.connectTimeout != defaults.connectTimeout,
            "it does not tell when a connection stands. idleTimeout covers connecting.")
        try refuse(
            "trustedCertificatesFile", configuration.trustedCertificatesFile != nil,
            "which authorities are trusted is the system’s decision. Add it to those of the system.")
        try refuse(
            "clientCertificate", configuration.clientCertificate != nil, "it takes none from files.")
        try refuse(
            "pinnedPublicKeys", !configuration.pinnedPublicKeys.isEmpty, "it does not tell a key before it is used.")
        try refuse(
            "allowsIncompleteTLSClose", configuration.allowsIncompleteTLSClose, "what is beneath it decides about that."
        )
        try refuse(
            "maxConnections", configuration.maxConnections != nil,
            "it limits the connections to each host, and not how many are kept.")
        try refuse(
            "maxConnectionIdleTime", configuration.maxConnectionIdleTime != defaults.maxConnectionIdleTime,
            "how long connections are kept is its own decision.")
        try refuse("httpVersion .http1", configuration.httpVersion == .http1, "it chooses the version by itself.")
        guard policy.honorsConnectionSettings else {
            try refuse("httpVersion .http3", configuration.httpVersion == .http3, "there is no HTTP/3 in it on Linux.")
            try refuse(
                "minTLSVersion", configuration.minTLSVersion != defaults.minTLSVersion,
                "there is no such setting on Linux.")
            try refuse(
                "proxy", configuration.proxy != nil,
                "on Linux it takes that of the environment alone (http_proxy, https_proxy).")
            return
        }
        if let proxy = configuration.proxy {
            try refuse("proxy", SessionProxy(proxy) == nil, "it takes one with the scheme http, https or socks5.")
        }
    }
}
