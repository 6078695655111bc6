import Foundation

/// One HTTP request as it goes over the wire.
public struct HTTPExchange: Sendable {
    /// The absolute `http` or `https` URL. User information in it is not sent; `.` and `..` in its path are resolved before it is.
    public var url: URL {
        get { hiddenURL.value }
        set {
            hiddenURL.value = newValue
            checkedURL = nil
        }
    }
    private var hiddenURL: Secret<URL>
    /// The URL as text, once it has been found to be one that can be used.
    var checkedURL: String?
    /// The method, in upper case unless it is the user's own.
    public var method: String
    /// Whether it has the same effect however often it is made.
    var isIdempotent: Bool { Self.idempotentMethods.contains(method.uppercased()) }
    /// The methods that have the same effect however often they are sent (RFC 9110, section 9.2.2).
    static let idempotentMethods: Set<String> = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]
    /// The header fields in the order they are sent. `Content-Length` and `Transfer-Encoding` come from `body`.
    public var headers: HTTPHeaders
    /// The `Proxy-Authorization` field for the proxy, if the transport uses one. Never sent to a server.
    public var proxyAuthorization: String? {
        get { hiddenProxyAuthorization?.value }
        set { hiddenProxyAuthorization = newValue.map { Secret($0) } }
    }
    private var hiddenProxyAuthorization: Secret<String>?
    /// The content to send, or `nil` for none.
    public var body: (any ExchangeBody)? {
        get { hiddenBody?.value }
        set { hiddenBody = newValue.map { Secret($0) } }
    }
    private var hiddenBody: Secret<any ExchangeBody>?
    /// The longest silence from the server; `nil` means that the transport's configuration decides.
    public var idleTimeout: Duration?
    /// The longest time for the whole exchange; `nil` means that the transport's configuration decides.
    public var totalTimeout: Duration?
    /// What limits the speed of the exchange, shared with others; `nil`, the default, means nothing.
    public var pacer: (any ExchangePacer)?

    /// Asks for content without a coding, unless the exchange says itself which it takes. Without the field a server may use any (RFC 9110,
    /// section 12.5.3).
    mutating func declineCodings() {
        if !headers.contains("Accept-Encoding") { headers.append(name: "Accept-Encoding", value: "identity") }
    }

    /// Creates an exchange.
    public init(
        url: URL, method: String = "GET", headers: HTTPHeaders = HTTPHeaders(), body: (any ExchangeBody)? = nil,
        idleTimeout: Duration? = nil, totalTimeout: Duration? = nil
    ) {
        hiddenURL = Secret(url)
        self.method = method
        self.headers = headers
        hiddenBody = body.map { Secret($0) }
        self.idleTimeout = idleTimeout
        self.totalTimeout = totalTimeout
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
