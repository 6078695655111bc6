import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Cookies (RFC 6265), hop by hop.
extension HTTPCookieStorage {
    /// Where cookies are stored, one response after the other: Foundation on Linux writes its whole file anew for each cookie,
    /// which must not keep a transport's thread from its work.
    static let queue = DispatchQueue(label: "NetworkQueueKit.cookies")

    /// The most cookies that one domain may have (RFC 6265, section 6.1, asks for at least 50).
    private static let maximumCountPerDomain = 180

    /// Adds the cookies for an exchange, unless it has a `Cookie` field of its own.
    func addCookies(to exchange: inout HTTPExchange) {
        guard !exchange.headers.contains("Cookie"), let candidates = cookies(for: exchange.url), !candidates.isEmpty
        else { return }
        // Foundation on Linux only compares hosts.
        let target = CookieTarget(exchange.url)
        let cookies = candidates.filter(target.admits).sorted { $0.path.utf8.count > $1.path.utf8.count }
        guard !cookies.isEmpty else { return }
        exchange.headers.append(name: "Cookie", value: cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; "))
    }

    /// Keeps the cookies of an origin's response, as far as it may set them.
    func takeCookies(from head: ResponseHead) {
        let target = CookieTarget(head.url)
        let cookies = head.headers.values(for: "Set-Cookie").compactMap { SetCookie($0) }
            .compactMap { target.accept($0) }
            .filter { target.isSecure || !hidesSecureCookie($0) }
        guard !cookies.isEmpty else { return }
        setCookies(cookies, for: head.url, mainDocumentURL: nil)
        for domain in Set(cookies.map(\.domain)) { makeRoom(in: domain) }
    }

    /// Whether a cookie that came in the clear would take the place of one that is for https alone (RFC 6265bis, section 5.7).
    private func hidesSecureCookie(_ cookie: HTTPCookie) -> Bool {
        let domain = cookie.domain.utf8.drop { $0 == UInt8(ascii: ".") }
        return (cookies ?? []).contains { other in
            guard other.isSecure, other.name == cookie.name else { return false }
            let otherDomain = other.domain.utf8.drop { $0 == UInt8(ascii: ".") }
            return domain.reversed().starts(with: otherDomain.reversed())
                || otherDomain.reversed().starts(with: domain.reversed())
        }
    }

    /// Removes what is too much for a domain: those that end with the session first, then those that end soonest.
    private func makeRoom(in domain: String) {
        let all = (cookies ?? []).filter { $0.domain == domain }
        guard all.count > Self.maximumCountPerDomain else { return }
        let byEnd = all.sorted { ($0.expiresDate ?? .distantPast) < ($1.expiresDate ?? .distantPast) }
        for cookie in byEnd.dropLast(Self.maximumCountPerDomain) { deleteCookie(cookie) }
    }
}

extension ResponseHead {
    /// Whether the response has cookies that count: those of an origin.
    ///
    /// What a proxy says in the clear, be it a demand for credentials or its answer to CONNECT, sets none for the server behind
    /// it.
    var hasCookies: Bool {
        guard headers.contains("Set-Cookie") else { return false }
        return !isFromProxy || statusCode != 407 && url.scheme?.lowercased() == "http"
    }
}
