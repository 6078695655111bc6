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

    /// The name that `Content-Disposition` suggests for a file (RFC 6266); `nil` where it suggests none. One that is not UTF-8 is read
    /// as ISO-8859-1.
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
