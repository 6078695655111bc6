import Foundation

extension HTTPExchange {
    /// The first exchange of a request without its content, or what is wrong with the request.
    init(_ request: NetworkRequest) throws(NetworkError) {
        let url = request.url
        var headers = Self.headers(of: request)
        for (name, value) in request.sizeProbe?.fields ?? [] { headers.set(value, for: name) }
        let wire: WireURL
        do throws(URLError) {
            wire = try Self.wireURL(of: url)
        } catch {
            throw NetworkError(error)
        }
        self.init(
            url: wire.differs
                ? URL(string: wire.text, encodingInvalidCharacters: false) ?? url.withoutUserInformation : url,
            method: request.method, headers: headers,
            idleTimeout: request.idleTimeout.map { $0 > .zero ? $0 : .seconds(1_000_000_000) })
        checkedURL = wire.text
    }

    private static func headers(of request: NetworkRequest) -> HTTPHeaders {
        var headers = request.headers
        // The framing follows from the body alone; contradictory framing allows request smuggling.
        for name in ["Content-Length", "Transfer-Encoding"] { headers.removeAll(named: name) }
        if let contentType = request.body?.contentType, !headers.contains("Content-Type") {
            headers.append(name: "Content-Type", value: contentType)
        }
        return headers
    }
}
