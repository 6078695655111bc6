import Foundation

extension URLSessionTransport {
    /// A week, because the interval must be finite on Linux.
    private static let noTimeout: TimeInterval = 7 * 86_400

    /// Creates the request for a task.
    ///
    /// - Throws: an error if `URLSession` cannot send the exchange.
    static func urlRequest(
        for exchange: HTTPExchange, _ configuration: TransportConfiguration, policy: SessionPolicy
    ) throws -> URLRequest {
        guard let url = URL(string: try exchange.wireURL()) else { throw URLError(.badURL) }
        try exchange.checkSendable(userAgent: configuration.userAgent)
        if exchange.method == "GET", let body = exchange.body, body.length > 0 {
            throw URLError.unsupported(
                .dataLengthExceedsMaximum, "URLSession sends no content with a GET; use another method.")
        }
        let own = ["User-Agent", "Accept", "Accept-Encoding", "Accept-Language", "Connection", "Content-Type"]
        if let name = own.first(where: exchange.headers.isSuppressed), !exchange.headers.contains(name) {
            throw URLError.unsupported(.badURL, "URLSession adds the field “\(name)” by itself; do not suppress it.")
        }
        var request = URLRequest(url: url)
        request.httpMethod = exchange.method
        if policy.honorsNetworkRules {
            exchange.networkRules?.apply(to: &request)
        } else {
            try exchange.refuseNetworkRules()
        }
        // Foundation's own timeout includes the time that a task waits for a connection; ours does not.
        request.timeoutInterval = noTimeout
        for field in exchange.headers where !field.isFraming {
            request.addValue(field.value, forHTTPHeaderField: field.name)
        }
        if !exchange.headers.contains("User-Agent") {
            request.setValue(configuration.userAgent, forHTTPHeaderField: "User-Agent")
        }
        if configuration.httpVersion == .http3 { request.assumesHTTP3Capable = true }
        // Unless told otherwise, Foundation asks for gzip and decodes it, but the library counts the bytes on the wire.
        if !exchange.headers.contains("Accept-Encoding") {
            request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        return request
    }

    /// Sets what the library needs in the user's session configuration.
    static func prepare(_ session: URLSessionConfiguration, for configuration: TransportConfiguration) {
        session.urlCache = nil
        session.httpCookieStorage = nil
        session.urlCredentialStorage = nil
        session.requestCachePolicy = .reloadIgnoringLocalCacheData
        session.httpShouldSetCookies = false
        // Otherwise Foundation on Linux would still parse cookies, and its parser cannot handle hostile ones.
        session.httpCookieAcceptPolicy = .never
        session.timeoutIntervalForRequest = noTimeout
        session.timeoutIntervalForResource = noTimeout
        // The queue decides how many requests run; the session must not hold any back.
        session.httpMaximumConnectionsPerHost = configuration.maxConnections ?? 1024
        #if !canImport(FoundationNetworking)
            let version: tls_protocol_version_t = configuration.minTLSVersion == .tls12 ? .TLSv12 : .TLSv13
            if session.tlsMinimumSupportedProtocolVersion.rawValue < version.rawValue {
                session.tlsMinimumSupportedProtocolVersion = version
            }
            if let proxy = configuration.proxy { SessionProxy(proxy)?.apply(to: session) }
        #endif
    }
}
