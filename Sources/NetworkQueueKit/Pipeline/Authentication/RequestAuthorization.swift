import Foundation

/// Records what the user's ``RequestAuthenticator`` changed in a request. The change is undone before the request is
/// authorized again and when a redirect leads to another origin.
struct RequestAuthorization: Sendable {
    /// The request after the adapters.
    private let plain: NetworkRequest
    /// The header fields after the authenticator.
    private let headers: HTTPHeaders
    /// The only origin that may receive those fields.
    let origin: Origin?

    init(of plain: NetworkRequest, as authorized: NetworkRequest) {
        self.plain = plain
        headers = authorized.headers
        origin = Origin(authorized.url)
    }

    /// The request that an exchange sends, without the authorization.
    ///
    /// - Parameter isRedirected: whether a redirect has led to the exchange.
    func plainRequest(of exchange: HTTPExchange, isRedirected: Bool) -> NetworkRequest {
        var request = plain
        if isRedirected { request.url = exchange.url }
        request.method = exchange.method
        request.headers = exchange.headers
        // A redirect may have turned a POST into a GET.
        if exchange.body == nil, request.body != nil { request.body = nil }
        undo(in: &request.headers)
        return request
    }

    /// Restores the fields that the authenticator changed, except those that have changed again since.
    func undo(in current: inout HTTPHeaders) {
        var names: [String: String] = [:]
        for fields in [plain.headers, headers] {
            for field in fields { names[field.name.utf8.lowercasedText] = field.name }
        }
        for name in names.values {
            guard !plain.headers.hasSameValues(as: headers, for: name), current.hasSameValues(as: headers, for: name)
            else { continue }
            current.removeAll(named: name)
            for value in plain.headers.values(for: name) { current.append(name: name, value: value) }
        }
    }
}
