import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Cookies (RFC 6265), hop by hop.
extension HTTPCookieStorage {
    /// Adds the cookies for an exchange, unless it has a `Cookie` field of its own.
    func addCookies(to exchange: inout HTTPExchange) {
        guard !exchange.headers.contains("Cookie"), let cookies = cookies(for: exchange.url), !cookies.isEmpty,
            let value = HTTPCookie.requestHeaderFields(with: cookies)["Cookie"]
        else { return }
        exchange.headers.append(name: "Cookie", value: value)
    }

    /// Keeps the cookies of a response.
    func takeCookies(from head: ResponseHead) {
        // One by one: Foundation joins fields by commas, which dates have too.
        for value in head.headers.values(for: "Set-Cookie") {
            let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": value], for: head.url)
            setCookies(cookies, for: head.url, mainDocumentURL: nil)
        }
    }
}
