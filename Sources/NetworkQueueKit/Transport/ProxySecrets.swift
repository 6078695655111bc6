import Foundation

/// The credentials of proxies that may be involved, which must not appear in a message about an exchange.
///
/// libcurl quotes a proxy that it cannot parse (`Unsupported proxy syntax in 'http://name:password@…'`), and takes a
/// part of a malformed one for its host.
struct ProxySecrets {
    /// Whole proxies and the parts of the text before their `@`, both as written and percent-decoded.
    private let fragments: Set<String>

    /// The variables in which libcurl looks for a proxy, among others.
    private static let variables = [
        "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
    ]

    init(configured: URL?, environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
        let proxies = [configured?.absoluteString] + Self.variables.map(environment)
        fragments = proxies.compactMap { $0 }.reduce(into: []) { fragments, proxy in
            let userInformation = Self.userInformation(of: proxy)
            let parts = userInformation.split { ":/?#@\\".contains($0) }.map(String.init)
            for text in [proxy, userInformation] + parts where !text.isEmpty {
                fragments.insert(text.lowercased())
                if let decoded = text.removingPercentEncoding { fragments.insert(decoded.lowercased()) }
            }
        }
    }

    /// Whether a message contains any of them, or quotes any proxy.
    func mayBe(in message: String) -> Bool {
        let message = message.lowercased()
        return message.contains("proxy") && message.contains("'") || fragments.contains(where: message.contains)
    }

    private static func userInformation(of proxy: String) -> String {
        guard let sign = proxy.lastIndex(of: "@") else { return "" }
        let start = proxy.range(of: "://").map(\.upperBound) ?? proxy.startIndex
        return start < sign ? String(proxy[start..<sign]) : ""
    }
}
