import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Cookies (RFC 6265), hop by hop.
extension HTTPCookieStorage {
    /// Adds the cookies for an exchange, unless it has a `Cookie` field of its own.
    func addCookies(to exchange: inout HTTPExchange) {
        guard !exchange.headers.contains("Cookie"), let candidates = cookies(for: exchange.url), !candidates.isEmpty
        else { return }
        // Foundation on Linux only compares hosts.
        let target = CookieTarget(exchange.url)
        let cookies = candidates.filter(target.admits).sorted { $0.path.utf8.count > $1.path.utf8.count }
        guard !cookies.isEmpty, let value = HTTPCookie.requestHeaderFields(with: cookies)["Cookie"] else { return }
        exchange.headers.append(name: "Cookie", value: value)
    }

    /// Keeps the cookies of a response.
    func takeCookies(from head: ResponseHead) {
        let values = head.headers.values(for: "Set-Cookie")
        guard !values.isEmpty else { return }
        let target = CookieTarget(head.url)
        // One by one: Foundation joins fields by commas, which dates have too.
        for value in values {
            let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": value], for: head.url)
                .compactMap { target.complete($0, from: value) }
            setCookies(cookies, for: head.url, mainDocumentURL: nil)
        }
    }
}
