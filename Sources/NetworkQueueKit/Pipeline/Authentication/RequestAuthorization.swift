import Foundation

/// What the user's ``RequestAuthenticator`` has made of a request, so that it can be undone: before it is made anew,
/// and on the way to another origin.
struct RequestAuthorization: Sendable {
    /// The request as the adapters have left it.
    private let plain: NetworkRequest
    /// The header fields that the authenticator has left.
    private let headers: HTTPHeaders
    /// Where they may go.
    let origin: Origin?

    init(of plain: NetworkRequest, as authorized: NetworkRequest) {
        self.plain = plain
        headers = authorized.headers
        origin = Origin(authorized.url)
    }

    /// What an exchange of the request sends, without the authorization.
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

    /// Gives the fields that the authenticator has changed the values that they had, except where they have been
    /// changed since.
    func undo(in current: inout HTTPHeaders) {
        var names: [String: String] = [:]
        for fields in [plain.headers, headers] {
            for field in fields { names[field.name.lowercased()] = field.name }
        }
        for name in names.values {
            let (former, added) = (plain.headers.values(for: name), headers.values(for: name))
            guard former != added, current.values(for: name) == added else { continue }
            current.removeAll(named: name)
            for value in former { current.append(name: name, value: value) }
        }
    }
}
