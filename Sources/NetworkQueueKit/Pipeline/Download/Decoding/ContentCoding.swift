import CZlib

/// How content is compressed (RFC 9110, section 8.4.1).
enum ContentCoding {
    case gzip
    case deflate
    /// One that was not asked for.
    case unknown

    /// What to accept; `nil` where there is nothing to decode it with.
    static let accepted: String? = czlib_load() ? "gzip, deflate" : nil

    /// `nil` for content that is not compressed.
    init?(_ headers: HTTPHeaders) {
        switch headers["Content-Encoding"]?.utf8.lowercasedText {
        case nil, "", "identity": return nil
        case "gzip", "x-gzip": self = .gzip
        case "deflate": self = .deflate
        default: self = .unknown
        }
    }
}
