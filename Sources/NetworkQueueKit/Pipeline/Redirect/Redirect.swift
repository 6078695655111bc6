import Foundation

/// Derives the exchange that follows a redirect (RFC 9110, section 15.4).
enum Redirect {
    /// The exchange to which `head`, the response to `exchange`, redirects.
    ///
    /// Returns `nil` if the response is not a redirect, its `Location` is missing, empty or not a usable http(s) URL,
    /// or the policy refuses it. The response itself is then the result.
    static func target(of head: ResponseHead, for exchange: HTTPExchange, policy: RedirectPolicy) -> HTTPExchange? {
        guard [301, 302, 303, 307, 308].contains(head.statusCode), policy.maximumCount > 0,
            let location = head.headers.firstValueBytes(for: "Location"), !location.isEmpty,
            let base = WebAddress(exchange.url.absoluteString.utf8),
            let url = WebAddress(reference: location, relativeTo: base)?.withoutUserInformation.url,
            let origin = Origin(url), let formerOrigin = Origin(exchange.url)
        else { return nil }
        if formerOrigin.scheme == "https", origin.scheme == "http", !policy.allowsInsecureTarget { return nil }

        var target = exchange
        target.url = url
        switch (head.statusCode, exchange.method) {
        case (301, "POST"), (302, "POST"): target.dropContent()
        case (303, let method) where method != "HEAD" && method != "GET": target.dropContent()
        default: break
        }
        if origin != formerOrigin {
            target.headers.removeOriginBoundFields()
        }
        return target
    }

    /// The exchange for a redirect target that the user has replaced.
    ///
    /// - Parameter proposal: the exchange that the server asked for, already without credentials that must not follow.
    static func target(_ request: URLRequest, inPlaceOf proposal: HTTPExchange) throws(NetworkError) -> HTTPExchange {
        // The proposal in Foundation's form has no content, so take it from the exchange unless the method has changed.
        let keptBody = (request.httpMethod ?? "GET") == proposal.method ? proposal.body : nil
        var target = try HTTPExchange(NetworkRequest(request))
        target.body = request.httpBody.map { DataBody(data: $0) } ?? keptBody
        target.idleTimeout = proposal.idleTimeout
        target.totalTimeout = proposal.totalTimeout
        target.pacer = proposal.pacer
        if let origin = Origin(target.url), origin != Origin(proposal.url) {
            // Fields for the proposal's origin must not go to another origin. Those that the user has changed stay.
            for name in HTTPHeaders.originBoundNames where target.headers.hasSameValues(as: proposal.headers, for: name)
            {
                target.headers.removeAll(named: name)
            }
        }
        return target
    }
}

extension HTTPHeaders {
    /// The fields that are meant for one origin: credentials, cookies and `Host`.
    static let originBoundNames = ["Authorization", "Cookie", "Proxy-Authorization", "Host"]

    /// Removes the fields that must not go to another origin.
    mutating func removeOriginBoundFields() {
        for name in Self.originBoundNames { removeAll(named: name) }
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

/// The answer to a redirect.
enum RedirectAnswer: Sendable {
    case follow
    case replace(URLRequest)
    /// The redirect response itself is the result.
    case refuse

    /// Interprets the request that the user returned in place of `proposal`.
    init(_ request: URLRequest?, to proposal: URLRequest) {
        switch request {
        case nil: self = .refuse
        case let request? where NetworkRequest(request).sendsSame(as: NetworkRequest(proposal)): self = .follow
        case let request?: self = .replace(request)
        }
    }
}
