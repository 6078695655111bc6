import Foundation

/// One HTTP request as it goes over the wire.
public struct HTTPExchange: Sendable {
    /// The absolute `http` or `https` URL. User information in it is not sent; `.` and `..` in its path are resolved
    /// before it is.
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
        get { hiddenProxyAuthorization.value }
        set { hiddenProxyAuthorization.value = newValue }
    }
    private var hiddenProxyAuthorization = Secret<String?>(nil)
    /// The content to send, or `nil` for none.
    public var body: (any ExchangeBody)? {
        get { hiddenBody.value }
        set { hiddenBody.value = newValue }
    }
    private var hiddenBody: Secret<(any ExchangeBody)?>
    /// The longest silence from the server; `nil` means that the transport's configuration decides.
    public var idleTimeout: Duration?
    /// The longest time for the whole exchange; `nil` means that the transport's configuration decides.
    public var totalTimeout: Duration?
    /// What limits the speed of the exchange, shared with others; `nil`, the default, means nothing.
    public var pacer: (any ExchangePacer)?
    /// Which networks may carry the exchange; `nil`, the default, means any. A transport that cannot honor them must
    /// refuse the exchange.
    public var networkRules: NetworkRules?

    /// Asks for content without a coding, unless the exchange says itself which it takes. Without the field a server
    /// may use any (RFC 9110, section 12.5.3).
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
        hiddenBody = Secret(body)
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

/// Content that may be one whole file, which a transport can send by itself.
protocol WholeFileBody: ExchangeBody {
    /// The file, or `nil` if the content is something else.
    ///
    /// - Throws: an error if the file is not what it was when the request was started.
    func wholeFile() throws -> URL?
}

extension HTTPExchange {
    /// Foundation's form, without the content.
    var urlRequest: URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method
        for field in headers { request.addValue(field.value, forHTTPHeaderField: field.name) }
        networkRules?.apply(to: &request)
        return request
    }
}

extension HTTPExchange {
    /// The gate that every byte of a request passes on its way to the wire: wherever the method, the fields or the name
    /// of the agent, none of them may end its line and begin another (RFC 9112, section 11.1).
    ///
    /// Called before a transport gets the exchange, whichever that is, and by the library's own transports for those
    /// who bring theirs.
    ///
    /// - Parameter userAgent: what the transport adds by itself.
    /// - Throws: an error with an ``UnsendableExchange`` beneath.
    func checkSendable(userAgent: String = "") throws(URLError) {
        guard method == "GET" || !method.isEmpty && method.utf8.allSatisfy(\.isTokenCharacter) else {
            throw .unsendable("The method “\(method.printable)” has characters that HTTP does not allow.")
        }
        if !headers.isEmpty, let name = headers.unsendableName {
            throw .unsendable("The header field “\(name.printable)” has characters that HTTP does not allow.")
        }
        if proxyAuthorization?.utf8.contains(where: \.isForbiddenInValue) == true {
            throw .unsendable("The credential for the proxy has a line break.")
        }
        // A proxy gets it with CONNECT, also where the exchange has a field of its own for the server.
        if !userAgent.isEmpty, userAgent.utf8.contains(where: \.isForbiddenInValue) {
            throw .unsendable("The user agent of the transport's configuration has a line break.")
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
    /// The beginning, with what is not printable in ASCII as question marks.
    fileprivate var printable: String {
        String(decoding: utf8.prefix(64).map { (0x20..<0x7f).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}

/// Texts without name and password of the URL, header fields that carry credentials, and content.
extension HTTPExchange: CustomStringConvertible, CustomDebugStringConvertible {
    /// Method and URL, such as `GET https://example.com/file`.
    public var description: String { "\(method) \(url.printable)" }

    /// The same with the header fields.
    public var debugDescription: String { "\(description) \(headers.debugDescription)" }
}
