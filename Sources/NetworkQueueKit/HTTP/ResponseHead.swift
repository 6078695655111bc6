import Foundation

/// The status and header fields of a response.
public struct ResponseHead: Sendable, Hashable {
    /// What copies share until one of them changes.
    private struct Fields: Sendable, Hashable {
        var statusCode: Int
        var headers: HTTPHeaders
        var url: Secret<URL>
        var httpVersion: String
        var isFromProxy = false
        var proxyCredential: Secret<URLCredential>?
    }

    private var fields: CopyOnWrite<Fields>

    /// The three-digit status code.
    public var statusCode: Int {
        get { fields.value.statusCode }
        set { fields.value.statusCode = newValue }
    }
    /// The header fields. Names are case-insensitive; order and duplicates are kept.
    public var headers: HTTPHeaders {
        get { fields.value.headers }
        _modify { yield &fields.value.headers }
    }
    /// The URL that sent the response, after all redirects.
    public var url: URL {
        get { fields.value.url.value }
        set { fields.value.url.value = newValue }
    }
    /// The received protocol version, such as `HTTP/2`; over ``URLSessionTransport`` always `HTTP/1.1`.
    public var httpVersion: String {
        get { fields.value.httpVersion }
        set { fields.value.httpVersion = newValue }
    }
    /// Whether the response may be from a proxy. A 407 from anything else is not answered, because the server may be
    /// trying to get the proxy's credentials.
    package var isFromProxy: Bool {
        get { fields.value.isFromProxy }
        set { fields.value.isFromProxy = newValue }
    }
    /// The credential in the proxy's URL for answering its challenge; set on a 407 from a proxy.
    var proxyCredential: Secret<URLCredential>? {
        get { fields.value.proxyCredential }
        set { fields.value.proxyCredential = newValue }
    }

    /// Creates a head.
    public init(statusCode: Int, headers: HTTPHeaders, url: URL, httpVersion: String = "HTTP/1.1") {
        fields = CopyOnWrite(
            Fields(statusCode: statusCode, headers: headers, url: Secret(url), httpVersion: httpVersion))
    }

    /// The length in `Content-Length`, in bytes. `nil` if it is missing, not a number, negative, too large, repeated
    /// with different values, or overridden by `Transfer-Encoding`.
    ///
    /// For a response to HEAD, it is the length that GET would return.
    public var expectedContentLength: Int64? { headers.contentLength }

    /// The date in `Last-Modified`; `nil` if there is none or it cannot be read without guessing.
    package var lastModified: Date? { headers["Last-Modified"].flatMap { HTTPDate.date(from: $0) } }

    /// Whether the fields may be about the content of the resource. A 202 is only a promise, and a 204 or 205 has no
    /// content.
    var mayDescribeContent: Bool { ![202, 204, 205].contains(statusCode) }

    /// The file name suggested by `Content-Disposition` (RFC 6266); `nil` if there is none.
    ///
    /// Of a path, only the last component is used. The name is sanitized like ``Foundation/URL/safeFileName``. A name
    /// that is not UTF-8 is read as ISO-8859-1.
    public var suggestedFileName: String? {
        guard
            let name = headers.firstValueBytes(for: "Content-Disposition").flatMap({ ContentDisposition($0).fileName })
        else { return nil }
        let separators = [UInt8(ascii: "/"), UInt8(ascii: "\\")]
        return name.utf8.split(whereSeparator: separators.contains).last.flatMap {
            SafeFileName.name(of: String(Substring($0)))
        }
    }

    /// The head as Foundation's type, built on each access, which is slow on Linux (9 µs).
    ///
    /// Duplicate fields are joined with commas, since Foundation uses a dictionary.
    public var httpURLResponse: HTTPURLResponse {
        // Collected in one pass: looking up each of many equal fields would be quadratic.
        var names: [String: String] = [:]
        var fields: [String: String] = [:]
        for field in headers {
            let name = names[field.name.utf8.lowercasedText, default: field.name]
            names[field.name.utf8.lowercasedText] = name
            if fields[name]?.append(", " + field.value) == nil { fields[name] = field.value }
        }
        // Foundation declares this initializer failable, but neither implementation ever fails.
        // swift-format-ignore: NeverForceUnwrap
        return HTTPURLResponse(url: url, statusCode: statusCode, httpVersion: httpVersion, headerFields: fields)!
    }
}

/// Checks for responses that must not be trusted, whatever the transport.
extension ResponseHead {
    /// The maximum size of all heads of an exchange together, in bytes.
    static let maximumSize = 300 * 1024
    static let sizeFault = "The response headers are larger than 300 KB."
    static let rangeFault = "Content-Range contains a number that is too large."
    /// The maximum number of interim (1xx) responses in an exchange.
    static let maximumInterimCount = 100
    static let interimFault = "More than 100 interim responses (1xx) came before the final one."

    /// Returns what is wrong with the response, as a sentence for users; `nil` for a valid response.
    ///
    /// All later work is linear in the size of the head, or has a limit of its own.
    ///
    /// - Parameters:
    ///   - framing: the framing of the fields.
    ///   - storesCookies: whether the response's cookies will be stored.
    func fault(_ framing: HTTPHeaders.Framing, storesCookies: Bool) -> String? {
        if framing.size > Self.maximumSize { return Self.sizeFault }
        if framing.hasTransferEncoding, let fault = headers.fault(framing) { return fault }
        if framing.hasContentRange, (200..<300).contains(statusCode),
            ContentRange.isImpossible(headers["Content-Range"])
        {
            return Self.rangeFault
        }
        return storesCookies && hasCookies ? headers.cookieFault : nil
    }
}

extension HTTPHeaders {
    /// Returns what is wrong with the framing of the content. Only `Content-Length` and chunked coding are accepted.
    ///
    /// Underlying libraries would decode other transfer codings (RFC 9112, section 7) unasked and without limits.
    func fault(_ framing: Framing) -> String? {
        guard framing.hasTransferEncoding else { return nil }
        // Some proxies add their own field to the server's, so “chunked” may repeat; the content is still chunked once.
        let codings = values(for: "Transfer-Encoding")
        return codings.allSatisfy { $0.utf8.lowercasedText == "chunked" }
            ? nil : "The server used an unsupported transfer coding."
    }

    /// Returns which limit the cookies of a response exceed.
    fileprivate var cookieFault: String? {
        let lengths = valueLengths(for: "Set-Cookie", limit: SetCookie.maximumCount)
        if lengths.count > SetCookie.maximumCount {
            return "The server set more than \(SetCookie.maximumCount) cookies."
        }
        return lengths.contains { $0 > SetCookie.maximumLength }
            ? "The server set a cookie larger than \(SetCookie.maximumLength / 1024) KB." : nil
    }
}

extension ResponseHead {
    /// Whether the response has cookies from an origin.
    ///
    /// A proxy's unencrypted responses, such as a challenge or an answer to CONNECT, set no cookies for the server
    /// behind it.
    var hasCookies: Bool {
        guard headers.contains("Set-Cookie") else { return false }
        return !isFromProxy || statusCode != 407 && url.scheme?.lowercased() == "http"
    }
}

/// Descriptions hide the values of header fields that may carry credentials.
extension ResponseHead: CustomStringConvertible, CustomDebugStringConvertible {
    /// The version, status and URL, such as `HTTP/1.1 200 https://example.com/file`.
    public var description: String {
        "\(httpVersion) \(statusCode) \(url.printable)"
    }

    /// The description with the header fields.
    public var debugDescription: String { "\(description) \(headers.debugDescription)" }
}
