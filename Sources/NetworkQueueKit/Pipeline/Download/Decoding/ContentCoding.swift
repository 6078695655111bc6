import CZlib

/// How content is compressed (RFC 9110, section 8.4.1).
enum ContentCoding {
    case gzip
    case deflate
    /// One that was not asked for.
    case unknown

    /// What to accept; `nil` where there is nothing to decode it with.
    static let accepted: String? = czlib_load() ? "gzip, deflate" : nil

    /// What `Content-Encoding` says, in lower case; `nil` for content without a coding.
    static func name(in headers: HTTPHeaders) -> String? {
        switch headers["Content-Encoding"]?.utf8.lowercasedText {
        case nil, "", "identity": nil
        // RFC 9110, section 8.4.1.3.
        case "x-gzip": "gzip"
        case let name?: name
        }
    }

    /// `nil` for content that is not compressed.
    init?(_ headers: HTTPHeaders) {
        switch Self.name(in: headers) {
        case nil: return nil
        case "gzip": self = .gzip
        case "deflate": self = .deflate
        default: self = .unknown
        }
    }
}
