import Foundation

/// Sends and stores cookies (RFC 6265) for each exchange, redirects included.
extension HTTPCookieStorage {
    /// The maximum number of cookies per domain (RFC 6265, section 6.1, requires at least 50).
    private static let maximumCountPerDomain = 180
    /// The maximum number of cookies in total (RFC 6265, section 6.1, requires at least 3,000).
    private static let maximumCount = 3_000

    /// The maximum length of a `Cookie` field with its name, in bytes, as in curl. Many servers refuse longer ones.
    private static let maximumFieldLength = 8190

    /// Adds the stored cookies to an exchange, unless it already has a `Cookie` field.
    ///
    /// Those with longer paths come first, and among equal paths the earlier ones (RFC 6265, section 5.4).
    func addCookies(to exchange: inout HTTPExchange) {
        guard exchange.headers.mayGain("Cookie"), let candidates = cookies(for: exchange.url), !candidates.isEmpty
        else { return }
        // Foundation on Linux compares hosts only.
        let target = CookieTarget(exchange.url)
        let pairs = candidates.filter(target.admits).map(CookiePair.init)
            .sorted { ($1.pathLength, $0.creationTime) < ($0.pathLength, $1.creationTime) }
            .fitting(Self.maximumFieldLength)
        guard !pairs.isEmpty else { return }
        exchange.headers.append(name: "Cookie", value: pairs.map(\.text).joined(separator: "; "))
    }

    /// Stores the cookies that the response's origin may set.
    func storeCookies(from head: ResponseHead) {
        let target = CookieTarget(head.url)
        let stored = cookies ?? []
        let new = head.headers.values(for: "Set-Cookie").compactMap { SetCookie($0) }
            .compactMap { target.accept($0) }
            .filter { cookie in target.isSecure || !stored.contains { $0.isSecure && $0.isHidden(by: cookie) } }
        // Storing is slow, and many servers repeat the same cookies in every response.
        let names = new.map(\.name)
        let changed = new.filter { cookie in
            names.count { $0.equals(bytesOf: cookie.name) } > 1 || !stored.contains { $0.says(cookie) }
        }
        guard !changed.isEmpty else { return }
        setCookies(changed, for: head.url, mainDocumentURL: nil)
        for domain in Set(changed.map(\.domain)) { makeRoom(for: Self.maximumCountPerDomain) { $0.domain == domain } }
        makeRoom(for: Self.maximumCount) { _ in true }
    }

    /// Removes surplus cookies: session cookies first, then those that expire soonest.
    private func makeRoom(for count: Int, among isCounted: (HTTPCookie) -> Bool) {
        let all = (cookies ?? []).filter(isCounted)
        guard all.count > count else { return }
        let byEnd = all.sorted { ($0.expiresDate ?? .distantPast) < ($1.expiresDate ?? .distantPast) }
        for cookie in byEnd.dropLast(count) { deleteCookie(cookie) }
    }
}

/// A cookie as it is sent.
private struct CookiePair {
    let text: String
    let pathLength: Int
    /// When the cookie was stored; Foundation has no property for this.
    let creationTime: TimeInterval

    init(_ cookie: HTTPCookie) {
        text = "\(cookie.name)=\(cookie.value)"
        pathLength = cookie.path.utf8.count
        creationTime = cookie.properties?[HTTPCookiePropertyKey("Created")] as? TimeInterval ?? 0
    }
}

extension [CookiePair] {
    /// The pairs without the oldest ones, as many as a `Cookie` field of that length has room for.
    fileprivate func fitting(_ maximumLength: Int) -> [CookiePair] {
        var pairs = self
        var length = "Cookie: ".utf8.count - 2 + pairs.reduce(0) { $0 + $1.text.utf8.count + 2 }
        while length > maximumLength,
            let oldest = pairs.indices.min(by: { pairs[$0].creationTime < pairs[$1].creationTime })
        {
            length -= pairs.remove(at: oldest).text.utf8.count + 2
        }
        return pairs
    }
}

extension HTTPCookie {
    /// Whether `other` would shadow this cookie if both were sent (RFC 6265bis, section 5.7).
    fileprivate func isHidden(by other: HTTPCookie) -> Bool {
        guard name.equals(bytesOf: other.name) else { return false }
        let dot = UInt8(ascii: ".")
        let (own, others) = (domain.utf8.drop { $0 == dot }, other.domain.utf8.drop { $0 == dot })
        return own.reversed().starts(with: others.reversed()) || others.reversed().starts(with: own.reversed())
    }

    /// Whether `other` need not be stored: it equals this cookie, or differs only in its expiration date, by less than
    /// 1 % of its remaining lifetime.
    fileprivate func says(_ other: HTTPCookie) -> Bool {
        guard name.equals(bytesOf: other.name), value.equals(bytesOf: other.value),
            domain.equals(bytesOf: other.domain), path.equals(bytesOf: other.path),
            isSecure == other.isSecure, isHTTPOnly == other.isHTTPOnly, isSessionOnly == other.isSessionOnly
        else { return false }
        guard let end = expiresDate, let otherEnd = other.expiresDate else {
            return expiresDate == nil && other.expiresDate == nil
        }
        let rest = otherEnd.timeIntervalSinceNow
        return rest > 0 && abs(otherEnd.timeIntervalSince(end)) * 100 < rest
    }
}
