import Foundation

/// The status and header fields of a response.
public struct ResponseHead: Sendable, Hashable {
    /// The three-digit status code.
    public var statusCode: Int
    /// The header fields: names without case, order and duplicates kept.
    public var headers: HTTPHeaders
    /// The URL that answered, after all redirects.
    public var url: URL {
        get { hiddenURL.value }
        set { hiddenURL.value = newValue }
    }
    private var hiddenURL: Secret<URL>
    /// The protocol's version as received, such as `HTTP/1.1`.
    public var httpVersion: String
    /// Whether a proxy may have made the response. Only then is its demand for credentials listened to: a server that
    /// answers 407 is after those of a proxy.
    package var isFromProxy: Bool = false
    /// What the proxy's URL brings to answer its demand with; set with the head of a 407 from a proxy.
    var proxyCredential: Secret<URLCredential>?

    /// Creates a head.
    public init(statusCode: Int, headers: HTTPHeaders, url: URL, httpVersion: String = "HTTP/1.1") {
        self.statusCode = statusCode
        self.headers = headers
        hiddenURL = Secret(url)
        self.httpVersion = httpVersion
    }

    /// The length of the content in bytes as `Content-Length` tells it; `nil` when it is missing, not a number,
    /// negative, absurd, given twice with different values, or overruled by `Transfer-Encoding`.
    ///
    /// For a response to HEAD it is the length that GET would have.
    public var expectedContentLength: Int64? { headers.contentLength }

    /// The name that `Content-Disposition` suggests for a file (RFC 6266); `nil` where it suggests none. One that is
    /// not UTF-8 is read as ISO-8859-1.
    ///
    /// It is harmless as ``Foundation/URL/safeFileName`` is, and the last part of it where the server names a path.
    public var suggestedFileName: String? {
        guard
            let name = headers.firstValueBytes(for: "Content-Disposition").flatMap({ ContentDisposition($0).fileName })
        else { return nil }
        let separators = [UInt8(ascii: "/"), UInt8(ascii: "\\")]
        return name.utf8.split(whereSeparator: separators.contains).last.flatMap {
            SafeFileName.name(of: String(Substring($0)))
        }
    }

    /// Foundation's form of this head, built anew at each call, which is slow on Linux (9 µs).
    ///
    /// Duplicate fields are joined by a comma, since Foundation keeps a dictionary.
    public var httpURLResponse: HTTPURLResponse {
        // One walk: to look up each of many equal fields would cost their square.
        var names: [String: String] = [:]
        var fields: [String: String] = [:]
        for field in headers {
            let name = names[field.name.utf8.lowercasedText, default: field.name]
            names[field.name.utf8.lowercasedText] = name
            if fields[name]?.append(", " + field.value) == nil { fields[name] = field.value }
        }
        // Foundation declares the initializer failable, and neither implementation of it ever fails.
        // swift-format-ignore: NeverForceUnwrap
        return HTTPURLResponse(url: url, statusCode: statusCode, httpVersion: httpVersion, headerFields: fields)!
    }
}

/// What makes a response one that is not to be relied on, whatever transport has brought it.
extension ResponseHead {
    /// The most bytes that the heads of an exchange may have together.
    static let maximumSize = 300 * 1024
    static let sizeFault = "Its head has more than 300 KB."
    /// The most interim (1xx) responses of an exchange.
    static let maximumInterimCount = 100
    static let interimFault = "There are more than 100 interim responses before it."

    /// What is wrong with the response, as a sentence for people; `nil` for one that is in order.
    ///
    /// Everything behind this check is linear in the size of the head, and what would cost more has a limit of its own.
    ///
    /// - Parameters:
    ///   - framing: that of its fields.
    ///   - storesCookies: whether its cookies are to be kept.
    func fault(_ framing: HTTPHeaders.Framing, storesCookies: Bool) -> String? {
        if framing.size > Self.maximumSize { return Self.sizeFault }
        if framing.hasTransferEncoding, let fault = headers.fault(framing) { return fault }
        return storesCookies && hasCookies ? headers.cookieFault : nil
    }
}

extension HTTPHeaders {
    /// What is wrong with how the content is framed: by its length and as chunks it may be, by nothing else.
    ///
    /// Libraries beneath decode other transfer codings (RFC 9112, section 7) without being asked, and past every limit.
    func fault(_ framing: Framing) -> String? {
        guard framing.hasTransferEncoding else { return nil }
        // Proxies that pass on a server's field beside their own repeat it: the content is chunked once.
        let codings = values(for: "Transfer-Encoding")
        return codings.allSatisfy { $0.utf8.lowercasedText == "chunked" }
            ? nil : "It has a transfer coding other than chunked."
    }

    /// What is too much about the cookies of a response.
    fileprivate var cookieFault: String? {
        let lengths = valueLengths(for: "Set-Cookie", limit: SetCookie.maximumCount)
        if lengths.count > SetCookie.maximumCount { return "It sets more than \(SetCookie.maximumCount) cookies." }
        return lengths.contains { $0 > SetCookie.maximumLength }
            ? "It sets a cookie of more than \(SetCookie.maximumLength / 1024) KB." : nil
    }
}

extension ResponseHead {
    /// Whether the response has cookies that count: those of an origin.
    ///
    /// What a proxy says in the clear, be it a demand for credentials or its answer to CONNECT, sets none for the
    /// server behind it.
    var hasCookies: Bool {
        guard headers.contains("Set-Cookie") else { return false }
        return !isFromProxy || statusCode != 407 && url.scheme?.lowercased() == "http"
    }
}

/// Texts without the values of header fields that carry credentials.
extension ResponseHead: CustomStringConvertible, CustomDebugStringConvertible {
    /// Version, status and URL, such as `HTTP/1.1 200 https://example.com/file`.
    public var description: String {
        "\(httpVersion) \(statusCode) \(url.printable)"
    }

    /// The same with the header fields.
    public var debugDescription: String { "\(description) \(headers.debugDescription)" }
}
