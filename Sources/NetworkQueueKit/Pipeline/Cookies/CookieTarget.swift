import Foundation

/// A URL for matching cookies (RFC 6265): which ones it may set and which ones it receives.
struct CookieTarget {
    /// The maximum lifetime of a cookie (RFC 6265bis, section 5.5).
    private static let longestLife: TimeInterval = 400 * 86_400
    /// The hosts that are this machine itself, so that nobody can listen: secure cookies go there without TLS, as from
    /// browsers and curl.
    private static let ownHosts = ["localhost", "127.0.0.1", "::1", "[::1]"]

    /// Whether secure cookies go to this URL: over TLS, or to this machine itself.
    let isSecure: Bool
    /// The host in lower case.
    private let host: String
    private let path: String

    init(_ url: URL) {
        host = url.host()?.lowercased() ?? ""
        isSecure = url.scheme?.lowercased() == "https" || Self.ownHosts.contains(host)
        let path = url.path(percentEncoded: true)
        self.path = path.utf8.first == UInt8(ascii: "/") ? path : "/"
    }

    /// Whether a cookie of this host applies to this URL and has not expired (section 5.4).
    func admits(_ cookie: HTTPCookie) -> Bool {
        if cookie.isSecure, !isSecure { return false }
        let isHostOnly = cookie.domain.utf8.first != UInt8(ascii: ".")
        guard Self.holdsPrefix(cookie.name, isSecure: cookie.isSecure, isHostOnly: isHostOnly, path: cookie.path)
        else { return false }
        if let end = cookie.expiresDate, end <= Date() { return false }
        let scope = cookie.path.utf8
        guard path.utf8.starts(with: scope) else { return false }
        let slash = UInt8(ascii: "/")
        return path.utf8.count == scope.count || scope.last == slash || path.utf8.dropFirst(scope.count).first == slash
    }

    /// Converts a cookie that this URL sets to Foundation's form (section 5.3); `nil` if the URL must not set it.
    func accept(_ cookie: SetCookie, now: Date = Date()) -> HTTPCookie? {
        guard !host.isEmpty, !cookie.name.isEmpty, isSecure || !cookie.isSecure,
            Self.holdsPrefix(
                cookie.name, isSecure: cookie.isSecure, isHostOnly: cookie.domain == nil, path: cookie.path),
            let domain = domain(of: cookie)
        else { return nil }
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: cookie.name, .value: cookie.value, .domain: domain, .path: cookie.path ?? defaultPath,
        ]
        if cookie.isSecure { properties[.secure] = "TRUE" }
        if cookie.isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        if let end = end(of: cookie, now: now) {
            properties[.expires] = end
        } else {
            properties[.discard] = "TRUE"
        }
        return HTTPCookie(properties: properties)
    }

    /// Whether the cookie meets the requirements of its name prefix (RFC 6265bis, section 4.1.3).
    private static func holdsPrefix(_ name: String, isSecure: Bool, isHostOnly: Bool, path: String?) -> Bool {
        let start = name.utf8.prefix(9).lowercasedText
        if start == "__secure-" { return isSecure }
        if start.utf8.starts(with: "__host-".utf8) { return isSecure && isHostOnly && path == "/" }
        return true
    }

    /// The domain to store: this host, or a parent domain with a leading dot; `nil` if the host is not in that domain.
    private func domain(of cookie: SetCookie) -> String? {
        guard let domain = cookie.domain else { return host }
        if domain.equals(bytesOf: host) { return isAddress || PublicSuffix.contains(domain) ? host : ".\(domain)" }
        guard !isAddress, domain.utf8.last != UInt8(ascii: "."), !PublicSuffix.contains(domain),
            host.utf8.reversed().starts(with: ".\(domain)".utf8.reversed())
        else { return nil }
        return ".\(domain)"
    }

    /// Whether the host is an IP address, which belongs to no domain. A host whose last label is all digits is an IPv4
    /// address.
    private var isAddress: Bool {
        host.utf8.contains(UInt8(ascii: ":"))
            || host.utf8.split(separator: UInt8(ascii: ".")).last?.allSatisfy(\.isDigit) == true
    }

    private func end(of cookie: SetCookie, now: Date) -> Date? {
        let latest = now.addingTimeInterval(Self.longestLife)
        if let age = cookie.maximumAge {
            return age > 0 ? min(now.addingTimeInterval(TimeInterval(age)), latest) : .distantPast
        }
        return cookie.expires.map { min($0, latest) }
    }

    /// The default path (section 5.1.4).
    private var defaultPath: String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}
