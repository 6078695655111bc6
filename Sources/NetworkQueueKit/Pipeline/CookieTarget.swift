import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A URL as cookies see it. Makes good for what Foundation on Linux leaves out of RFC 6265.
struct CookieTarget {
    private let isSecure: Bool
    private let host: String
    private let path: String

    init(_ url: URL) {
        isSecure = url.scheme?.lowercased() == "https"
        host = url.host()?.lowercased() ?? ""
        let path = url.path(percentEncoded: true)
        self.path = path.hasPrefix("/") ? path : "/"
    }

    /// Whether a cookie for this host is for this URL, too, and still valid (section 5.4).
    func admits(_ cookie: HTTPCookie) -> Bool {
        if cookie.isSecure, !isSecure { return false }
        if let end = cookie.expiresDate, end <= Date() { return false }
        let scope = cookie.path
        guard path.hasPrefix(scope) else { return false }
        return path.utf8.count == scope.utf8.count || scope.hasSuffix("/") || path.dropFirst(scope.count).first == "/"
    }

    /// The cookie with what its field says about lifetime and path (section 5.3); `nil` when it is for a whole top-level domain.
    func complete(_ cookie: HTTPCookie, from field: String) -> HTTPCookie? {
        let domain = cookie.domain.lowercased().drop { $0 == "." }
        guard domain.contains(".") || domain == host else { return nil }
        guard var properties = cookie.properties else { return cookie }
        // What it reports as a truth value it only takes back as text.
        if Self.attribute("secure", in: field) != nil { properties[.secure] = "TRUE" }
        if let age = Self.attribute("max-age", in: field).flatMap({ Int64($0) }) {
            properties[.expires] = age > 0 ? Date(timeIntervalSinceNow: TimeInterval(age)) : Date.distantPast
            properties[.discard] = nil
            properties[.maximumAge] = nil
        }
        if Self.attribute("path", in: field)?.hasPrefix("/") != true { properties[.path] = defaultPath }
        return HTTPCookie(properties: properties) ?? cookie
    }

    /// Section 5.1.4
    private var defaultPath: String {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// The value of an attribute, empty when it has none. The last of its name counts.
    private static func attribute(_ name: String, in field: String) -> String? {
        let attributes = field.split(separator: ";").dropFirst().map {
            $0.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        }
        return attributes.last { $0.first?.lowercased() == name }.map { $0.count > 1 ? $0[1] : "" }
    }
}
