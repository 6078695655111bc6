import Foundation

/// Where a response leads (RFC 9110, section 15.4).
enum Redirect {
    case follow(HTTPExchange)
    case none

    private static let credentialFields = ["Authorization", "Cookie", "Proxy-Authorization"]

    /// The exchange that `head`, the response to `exchange`, asks for.
    ///
    /// There is none when the response is not a redirect, its `Location` is missing or not http(s), or it leads from
    /// https to http: then the response itself is the result.
    static func target(of head: ResponseHead, for exchange: HTTPExchange) -> Redirect {
        guard [301, 302, 303, 307, 308].contains(head.statusCode),
            let location = head.headers.values(for: "Location").first,
            let url = URL(string: location, relativeTo: exchange.url)?.absoluteURL, let origin = Origin(url),
            let formerOrigin = Origin(exchange.url)
        else { return .none }
        if formerOrigin.scheme == "https", origin.scheme == "http" { return .none }

        var target = exchange
        target.url = url.withoutUserInformation
        switch (head.statusCode, exchange.method) {
        case (301, "POST"), (302, "POST"): target.dropContent()
        case (303, let method) where method != "HEAD" && method != "GET": target.dropContent()
        default: break
        }
        if origin != formerOrigin {
            for name in credentialFields { target.headers.removeAll(named: name) }
        }
        return .follow(target)
    }

    /// Scheme, host and port of an http(s) URL.
    private struct Origin: Equatable {
        var scheme: String
        var host: String
        var port: Int

        init?(_ url: URL) {
            guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
                let host = url.host()?.lowercased(), !host.isEmpty
            else { return nil }
            self.scheme = scheme
            self.host = host
            port = url.port ?? (scheme == "https" ? 443 : 80)
        }
    }
}

extension HTTPExchange {
    /// Turns the exchange into a GET.
    fileprivate mutating func dropContent() {
        method = "GET"
        body = nil
        for name in ["Content-Type", "Content-Encoding", "Content-Language", "Content-Location"] {
            headers.removeAll(named: name)
        }
    }
}
