import Foundation

/// Where a response leads (RFC 9110, section 15.4).
enum Redirect {
    /// The exchange that `head`, the response to `exchange`, asks for.
    ///
    /// `nil` when the response is not a redirect, its `Location` is missing, empty or not a usable http(s) address, or
    /// the policy refuses it: then the response itself is the result.
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

    /// The exchange for a target that the user has changed.
    ///
    /// - Parameter proposal: what the server has asked for, with its credentials removed already where that was due.
    static func target(_ request: URLRequest, inPlaceOf proposal: HTTPExchange) throws(NetworkError) -> HTTPExchange {
        // The content is not in Foundation's form of the proposal; it goes along unless the method has changed.
        let keptBody = (request.httpMethod ?? "GET") == proposal.method ? proposal.body : nil
        var target = try HTTPExchange(NetworkRequest(request))
        target.body = request.httpBody.map { DataBody(data: $0) } ?? keptBody
        target.idleTimeout = proposal.idleTimeout
        target.totalTimeout = proposal.totalTimeout
        target.pacer = proposal.pacer
        if let origin = Origin(target.url), origin != Origin(proposal.url) {
            // What was meant for the proposal's origin is not for another; what the user has set anew is.
            for name in HTTPHeaders.originBoundNames where target.headers[name] == proposal.headers[name] {
                target.headers.removeAll(named: name)
            }
        }
        return target
    }
}

extension HTTPHeaders {
    /// The fields that are meant for one origin: credentials, and the name that it is addressed by.
    static let originBoundNames = ["Authorization", "Cookie", "Proxy-Authorization", "Host"]

    /// Removes what is not for another origin.
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
    /// The redirect itself is the response.
    case refuse

    /// The meaning of a request that was returned in place of `proposal`.
    init(_ request: URLRequest?, to proposal: URLRequest) {
        switch request {
        case nil: self = .refuse
        case let request? where NetworkRequest(request).sendsSame(as: NetworkRequest(proposal)): self = .follow
        case let request?: self = .replace(request)
        }
    }
}
