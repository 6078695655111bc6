import Foundation

/// Determines from libcurl's message whether an exchange failed at a proxy, and at which one.
struct ProxyFailure {
    /// Phrases that occur only in messages about proxies.
    private static let proxyWords = [
        "resolve proxy", "unsupported proxy", "proxy connect", "connect tunnel failed", "from proxy after connect",
        "over proxy", "socks",
    ]
    /// Beginnings of messages about the host being connected to, whether a proxy or a server.
    private static let connectionWords = [
        "failed to connect", "connection timed out", "connection timeout", "resolving",
    ]

    private let configured: URL?
    private let environment: (String) -> String?

    /// - Parameter configured: the proxy that takes all requests, if there is one. Otherwise the environment's apply.
    init(configured: URL?, environment: @escaping (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
        self.configured = configured
        self.environment = environment
    }

    /// The host and port, without credentials, of the proxy at which an exchange of `url` failed. Empty if they cannot
    /// be determined; `nil` if the message does not report a failure at a proxy.
    ///
    /// - Parameter isCertain: whether it is already known that the proxy failed.
    func place(for url: URL, message: String, isCertain: Bool = false) -> String? {
        let message = message.lowercased()
        let place = proxy(for: url).flatMap(Self.place)
        if isCertain || Self.proxyWords.contains(where: message.contains) { return place ?? "" }
        if configured != nil {
            // All connections go to the proxy.
            return Self.connectionWords.contains(where: message.hasPrefix) ? place ?? "" : nil
        }
        // The environment may list exceptions, so the message must name the proxy as the host that was not reached.
        guard let place, let colon = place.lastIndex(of: ":") else { return nil }
        let host = place[..<colon].filter { $0 != "[" && $0 != "]" }.lowercased()
        let words = "failed to connect to \(host) port \(place[place.index(after: colon)...])"
        guard message.hasPrefix(words), message.dropFirst(words.count).first?.isNumber != true else { return nil }
        return place
    }

    private func proxy(for url: URL) -> String? {
        if let configured { return configured.absoluteString }
        let variables = url.scheme?.lowercased() == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        return (variables + ["all_proxy", "ALL_PROXY"]).lazy.compactMap(environment).first { !$0.isEmpty }
    }

    /// The host and port of a proxy; `nil` if it is malformed, because any part of it may then be a password.
    static func place(of proxy: String) -> String? {
        let plain = proxy.withoutProxyUserInformation
        guard !plain.contains("@") else { return nil }
        let mark = plain.range(of: "://")
        let scheme = mark.map { plain[..<$0.lowerBound].lowercased() }
        var authority = plain[(mark?.upperBound ?? plain.startIndex)...]
        if authority.hasSuffix("/") { authority.removeLast() }
        let host: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[...end]
            guard host.dropFirst().dropLast().allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else {
                return nil
            }
        } else {
            host = authority.prefix { $0 != ":" }
            guard host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }) else {
                return nil
            }
        }
        let rest = authority[host.endIndex...]
        guard !host.isEmpty, rest.isEmpty || rest.hasPrefix(":") else { return nil }
        guard !rest.isEmpty else { return "\(host):\(scheme == "https" ? 443 : 1080)" }
        return UInt16(rest.dropFirst()).map { "\(host):\($0)" }
    }
}
