import Foundation

/// One HTTP request as it goes over the wire.
public struct HTTPExchange: Sendable {
    /// The absolute `http` or `https` URL. User information in it is not sent; `.` and `..` in its path are resolved before it is.
    public var url: URL {
        get { fields.value.url.value }
        set {
            fields.value.url.value = newValue
            fields.value.checkedURL = nil
        }
    }
    /// The method, in upper case unless it is the user's own.
    public var method: String {
        get { fields.value.method }
        set { fields.value.method = newValue }
    }
    /// Whether it has the same effect however often it is made.
    var isIdempotent: Bool { Self.idempotentMethods.contains(method.uppercased()) }
    /// The methods that have the same effect however often they are sent (RFC 9110, section 9.2.2).
    static let idempotentMethods: Set<String> = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]
    /// The header fields in the order they are sent. `Content-Length` and `Transfer-Encoding` come from `body`.
    public var headers: HTTPHeaders {
        get { isBare ? Self.withoutCoding : fields.value.headers }
        set {
            fields.value.headers = newValue
            isBare = false
        }
    }
    /// The `Proxy-Authorization` field for the proxy, if the transport uses one. Never sent to a server.
    public var proxyAuthorization: String? {
        get { fields.value.proxyAuthorization?.value }
        set { fields.value.proxyAuthorization = newValue.map { Secret($0) } }
    }
    /// The content to send, or `nil` for none.
    public var body: (any ExchangeBody)? {
        get { fields.value.body?.value }
        set { fields.value.body = newValue.map { Secret($0) } }
    }
    /// Whether there is content to send. Cheaper than a look at `body`, which is copied for it.
    var hasBody: Bool { fields.value.hasBody }
    /// The longest silence from the server; `nil` means that the transport's configuration decides.
    public var idleTimeout: Duration? {
        get { fields.value.idleTimeout }
        set { fields.value.idleTimeout = newValue }
    }
    /// The longest time for the whole exchange; `nil` means that the transport's configuration decides.
    public var totalTimeout: Duration? {
        get { fields.value.totalTimeout }
        set { fields.value.totalTimeout = newValue }
    }
    /// What limits the speed of the exchange, shared with others; `nil`, the default, means nothing.
    public var pacer: (any ExchangePacer)? {
        get { fields.value.pacer }
        set { fields.value.pacer = newValue }
    }
    /// The URL as text, once it has been found to be one that can be used.
    var checkedURL: String? { fields.value.checkedURL }

    /// Whether there was a name or a password in the URL of the request that it was made from.
    var hadUserInformation: Bool { fields.value.hadUserInformation }

    private struct Fields: Sendable {
        var url: Secret<URL>
        var checkedURL: String?
        var hadUserInformation = false
        var method: String
        var headers: HTTPHeaders
        var proxyAuthorization: Secret<String>?
        @Boxed() var body: Secret<any ExchangeBody>?
        var idleTimeout: Duration?
        var totalTimeout: Duration?
        var pacer: (any ExchangePacer)?

        var hasBody: Bool { !_body.isEmpty }
    }

    // Copied often; one reference per copy.
    private var fields: CopyOnWrite<Fields>
    /// Whether no header field goes with it but the one that declines codings. Not in `fields`, which most exchanges share with the one
    /// that the request knows: a copy of them for this one field took a twentieth of the time from one response to the next.
    private(set) var isBare = false
    private static let withoutCoding: HTTPHeaders = ["Accept-Encoding": "identity"]

    /// Asks for content without a coding, unless the exchange says itself which it takes. Without the field a server may use any (RFC 9110,
    /// section 12.5.3).
    mutating func declineCodings() {
        if fields.value.headers.isEmpty {
            isBare = true
        } else if !fields.value.headers.contains("Accept-Encoding") {
            headers.append(name: "Accept-Encoding", value: "identity")
        }
    }

    /// Creates an exchange.
    public init(
        url: URL, method: String = "GET", headers: HTTPHeaders = HTTPHeaders(), body: (any ExchangeBody)? = nil,
        idleTimeout: Duration? = nil, totalTimeout: Duration? = nil
    ) {
        fields = CopyOnWrite(
            Fields(
                url: Secret(url), method: method, headers: headers,
                body: Boxed(wrappedValue: body.map { Secret($0) }), idleTimeout: idleTimeout,
                totalTimeout: totalTimeout))
    }

    /// Creates an exchange without content.
    ///
    /// - Parameters:
    ///   - checkedURL: the text that ``wireURL(of:)`` makes of `url`.
    ///   - hadUserInformation: whether it was taken out of `url`.
    init(
        url: URL, checkedURL: String, hadUserInformation: Bool, method: String, headers: HTTPHeaders,
        idleTimeout: Duration?
    ) {
        fields = CopyOnWrite(
            Fields(
                url: Secret(url), checkedURL: checkedURL, hadUserInformation: hadUserInformation, method: method,
                headers: headers, idleTimeout: idleTimeout))
    }
}

/// Content of a known length that can be read again from any offset, so that it survives a new connection,
/// a redirect, a challenge and a retry.
public protocol ExchangeBody: Sendable {
    /// The length in bytes.
    var length: Int64 { get }
    /// Fills `buffer` with the bytes from `offset` on and returns how many they are; 0 only at the end.
    ///
    /// Called on the transport's thread, with rising offsets, or with a lower one to send again.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int
}

extension HTTPExchange {
    /// Foundation's form, without the content.
    var urlRequest: URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method
        for field in headers { request.addValue(field.value, forHTTPHeaderField: field.name) }
        return request
    }
}
