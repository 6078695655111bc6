import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPExchange {
    /// Foundation's default; a request that has it leaves the timeout to the transport.
    private static let defaultTimeoutInterval: TimeInterval = 60

    /// The first exchange of a request without its content, or what is wrong with the request.
    init(_ request: borrowing NetworkRequest) throws(NetworkError) {
        guard let url = request.urlRequest.url else { throw NetworkError(URLError(.badURL)) }
        var headers = Self.headers(of: request)
        for (name, value) in request.sizeProbe?.fields ?? [] { headers.set(value, for: name) }
        let wire: WireURL
        do throws(URLError) {
            wire = try Self.wireURL(of: url)
        } catch {
            throw NetworkError(error)
        }
        let timeout = request.urlRequest.timeoutInterval
        self.init(
            url: wire.differs
                ? URL(string: wire.text, encodingInvalidCharacters: false) ?? url.withoutUserInformation : url,
            checkedURL: wire.text, hadUserInformation: wire.hadUserInformation, method: request.method,
            headers: headers,
            idleTimeout: timeout == Self.defaultTimeoutInterval ? nil : Self.timeout(timeout))
    }

    private static func headers(of request: borrowing NetworkRequest) -> HTTPHeaders {
        var headers = HTTPHeaders()
        let fields = request.urlRequest.allHTTPHeaderFields ?? [:]
        let contentType = request.body?.contentType
        if fields.isEmpty, contentType == nil { return headers }
        // A dictionary has no order: sorting makes the bytes of a request reproducible.
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            // The framing follows from the body alone; two opinions on it are how requests are smuggled.
            guard !HTTPHeaders.Field(name: name, value: value).isFraming else { continue }
            headers.append(name: name, value: value)
        }
        if let contentType, !headers.contains("Content-Type") {
            headers.append(name: "Content-Type", value: contentType)
        }
        return headers
    }

    /// Foundation allows any number here; what is no length of time means none.
    private static func timeout(_ seconds: TimeInterval) -> Duration {
        seconds > 0 && seconds < 1e9 ? .seconds(seconds) : .seconds(1_000_000_000)
    }
}
