import Foundation

/// One HTTP request as it goes over the wire.
public struct HTTPExchange: Sendable {
    /// What copies share until one of them changes.
    private struct Fields: Sendable {
        var url: Secret<URL>
        var checkedURL: String?
        var method: String
        var headers: HTTPHeaders
        var proxyAuthorization = Secret<String?>(nil)
        var body: Secret<(any ExchangeBody)?>
        var idleTimeout: Duration?
        var totalTimeout: Duration?
        var pacer: (any ExchangePacer)?
        var networkRules: NetworkRules?
    }

    private var fields: CopyOnWrite<Fields>

    /// The absolute `http` or `https` URL. User information is not sent, and `.` and `..` in the path are resolved
    /// before sending.
    public var url: URL {
        get { fields.value.url.value }
        set {
            fields.value.url.value = newValue
            checkedURL = nil
        }
    }
    /// The URL as the text to send, once it was checked.
    var checkedURL: String? {
        get { fields.value.checkedURL }
        set { fields.value.checkedURL = newValue }
    }
    /// The method, in upper case unless it is a custom one.
    public var method: String {
        get { fields.value.method }
        set { fields.value.method = newValue }
    }
    /// Whether sending the request again has no further effect.
    var isIdempotent: Bool { Self.idempotentMethods.contains(method.uppercased()) }
    /// The methods for which sending again has no further effect (RFC 9110, section 9.2.2).
    static let idempotentMethods: Set<String> = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]
    /// The header fields in the order in which they are sent. `Content-Length` and `Transfer-Encoding` follow from
    /// `body`.
    public var headers: HTTPHeaders {
        get { fields.value.headers }
        _modify { yield &fields.value.headers }
    }
    /// The `Proxy-Authorization` field for the proxy, if the transport uses one. Never sent to a server.
    public var proxyAuthorization: String? {
        get { fields.value.proxyAuthorization.value }
        set { fields.value.proxyAuthorization.value = newValue }
    }
    /// The content to send; `nil` for none.
    public var body: (any ExchangeBody)? {
        get { fields.value.body.value }
        set { fields.value.body.value = newValue }
    }
    /// The longest silence from the server; `nil` uses the value of the transport's configuration.
    public var idleTimeout: Duration? {
        get { fields.value.idleTimeout }
        set { fields.value.idleTimeout = newValue }
    }
    /// The longest time for the whole exchange; `nil` uses the value of the transport's configuration.
    public var totalTimeout: Duration? {
        get { fields.value.totalTimeout }
        set { fields.value.totalTimeout = newValue }
    }
    /// Limits the speed of the exchange, together with others; `nil`, the default, means no limit.
    public var pacer: (any ExchangePacer)? {
        get { fields.value.pacer }
        set { fields.value.pacer = newValue }
    }
    /// The networks that may carry the exchange; `nil`, the default, allows any. A transport that cannot honor the
    /// rules must refuse the exchange.
    public var networkRules: NetworkRules? {
        get { fields.value.networkRules }
        set { fields.value.networkRules = newValue }
    }

    /// Asks for content without a coding, unless the exchange has an `Accept-Encoding` field. Without the field a
    /// server may use any coding (RFC 9110, section 12.5.3).
    mutating func declineCodings() {
        if headers.isEmpty, headers.suppressedNames.isEmpty {
            headers = Self.identity
        } else if headers.mayGain("Accept-Encoding") {
            headers.append(name: "Accept-Encoding", value: "identity")
        }
    }

    private static let identity: HTTPHeaders = ["Accept-Encoding": "identity"]

    /// Creates an exchange.
    public init(
        url: URL, method: String = "GET", headers: HTTPHeaders = HTTPHeaders(), body: (any ExchangeBody)? = nil,
        idleTimeout: Duration? = nil, totalTimeout: Duration? = nil
    ) {
        fields = CopyOnWrite(
            Fields(
                url: Secret(url), method: method, headers: headers, body: Secret(body), idleTimeout: idleTimeout,
                totalTimeout: totalTimeout))
    }
}

/// Content of a known length that can be read again from any offset, as a new connection, a redirect, a challenge or a
/// retry may require.
public protocol ExchangeBody: Sendable {
    /// The length in bytes.
    var length: Int64 { get }
    /// Fills `buffer` with bytes from `offset` on and returns their number, which is 0 only at the end.
    ///
    /// Called on the transport's thread with ascending offsets, or with a lower one to send bytes again.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int
}

/// Content that may be one whole file, which a transport can send by itself.
protocol WholeFileBody: ExchangeBody {
    /// The file; `nil` if the content is something else.
    ///
    /// - Throws: an error if the file has changed since the request was started.
    func wholeFile() throws -> URL?
}

extension HTTPExchange {
    /// The exchange as Foundation's request, without the content.
    var urlRequest: URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method
        for field in headers { request.addValue(field.value, forHTTPHeaderField: field.name) }
        networkRules?.apply(to: &request)
        return request
    }
}

extension HTTPExchange {
    /// Checks that neither the method, nor a header field, nor the user agent can end its line and begin another (RFC
    /// 9112, section 11.1). Every request passes this check on its way to the wire.
    ///
    /// Called before any transport gets the exchange, and by the library's own transports, which may be used directly.
    ///
    /// - Parameter userAgent: the user agent that the transport adds.
    /// - Throws: an error with an underlying ``UnsendableExchange``.
    func checkSendable(userAgent: String = "") throws(URLError) {
        guard method == "GET" || !method.isEmpty && method.utf8.allSatisfy(\.isTokenCharacter) else {
            throw .unsendable("“\(method.printable)” is not a valid HTTP method.")
        }
        if let name = headers.unsendableName {
            throw .unsendable(
                "Header field “\(name.printable)” contains a line break or another character that HTTP does not allow.")
        }
        if proxyAuthorization?.utf8.contains(where: \.isForbiddenInValue) == true {
            throw .unsendable("The credentials for the proxy contain a line break or a NUL byte.")
        }
        // A proxy gets the user agent with CONNECT, even if the exchange has its own `User-Agent` for the server.
        if !userAgent.isEmpty, userAgent.utf8.contains(where: \.isForbiddenInValue) {
            throw .unsendable("The user agent contains a line break or a NUL byte.")
        }
    }
}

extension URLError {
    fileprivate static func unsendable(_ reason: String) -> URLError {
        URLError(
            .badURL,
            userInfo: [
                NSUnderlyingErrorKey: UnsendableExchange(reason: reason), NSLocalizedDescriptionKey: reason,
            ])
    }
}

extension String {
    /// The beginning, with question marks in place of everything but printable ASCII.
    fileprivate var printable: String {
        String(decoding: utf8.prefix(64).map { (0x20..<0x7f).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}

/// Descriptions hide the URL's user information, header fields that carry credentials, and the content.
extension HTTPExchange: CustomStringConvertible, CustomDebugStringConvertible {
    /// The method and the URL, such as `GET https://example.com/file`.
    public var description: String { "\(method) \(url.printable)" }

    /// The description and the header fields.
    public var debugDescription: String { "\(description) \(headers.debugDescription)" }
}
