import Foundation

/// What tells one state of a resource from any other, byte by byte (RFC 9110, section 8.8).
enum Validator: Hashable, Sendable {
    /// A strong entity tag, quotes included.
    case entityTag(String)
    /// A `Last-Modified` date that is a strong validator.
    case date(String)

    /// The validator of a response that arrived at `now`; `nil` when it has no strong one.
    ///
    /// A date does not count beside a weak tag, nor within a second of the response: by then the resource may have changed twice
    /// (RFC 9110, sections 8.8.2.2 and 13.1.5).
    init?(_ headers: HTTPHeaders, now: Date = Date()) {
        if let tag = headers["ETag"] {
            guard Self.isStrongTag(tag) else { return nil }
            self = .entityTag(tag)
        } else if let modified = headers["Last-Modified"], let time = HTTPDate.fixdate(from: modified) {
            let responseTime = headers["Date"].flatMap(HTTPDate.fixdate) ?? now
            guard responseTime.timeIntervalSince(time) >= 1 else { return nil }
            self = .date(modified)
        } else {
            return nil
        }
    }

    /// The value for `If-Range`.
    var fieldValue: String {
        switch self {
        case .entityTag(let tag): tag
        case .date(let date): date
        }
    }

    /// Whether a response is about the same state. A response that does not say so is not.
    func matches(_ headers: HTTPHeaders) -> Bool {
        switch self {
        case .entityTag(let tag): Self.isSame(headers["ETag"], tag)
        case .date(let date): Self.isSame(headers["Last-Modified"], date) && headers["ETag"] == nil
        }
    }

    /// Byte by byte (RFC 9110, section 8.8.3.2): strings are equal as well that only look the same.
    private static func isSame(_ text: String?, _ other: String) -> Bool {
        text?.utf8.elementsEqual(other.utf8) == true
    }

    static func isStrongTag(_ tag: String) -> Bool {
        let bytes = tag.utf8
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
            return false
        }
        // Bytes that are not UTF-8 are not known any more: two such tags may differ, and the server would not get its own back.
        guard !tag.unicodeScalars.contains("\u{FFFD}") else { return false }
        return !bytes.dropFirst().dropLast().contains { $0 == UInt8(ascii: "\"") || $0 <= 0x20 || $0 == 0x7f }
    }
}
