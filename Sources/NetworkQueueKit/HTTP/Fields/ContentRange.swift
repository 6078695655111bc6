/// The value of a `Content-Range` field (RFC 9110, section 14.4).
package enum ContentRange: Equatable {
    /// The content is the bytes `first` through `last`, of `total` in all if that is known.
    case part(first: Int64, last: Int64, total: Int64?)
    /// The requested range does not exist; the whole content has `total` bytes.
    case unsatisfied(total: Int64)

    /// Parses `bytes a-b/total`, `bytes a-b/*` or `bytes */total`. Returns `nil` for anything else, or if the numbers
    /// contradict each other.
    package init?(_ value: String?) {
        guard let value, let range = ByteScanner.scan(value, { Self.read(&$0) }) else { return nil }
        self = range
    }

    /// The total size; `nil` if it is unknown.
    var total: Int64? {
        switch self {
        case .part(first: _, last: _, let total): total
        case .unsatisfied(let total): total
        }
    }

    private static func read(_ scanner: inout ByteScanner) -> ContentRange? {
        scanner.take(while: \.isFieldSpace)
        guard scanner.take(while: \.isLetter).lowercasedText == "bytes",
            !scanner.take(while: \.isFieldSpace).isEmpty
        else { return nil }
        if scanner.skip("*/") {
            guard let total = takeNumber(&scanner), isAtEnd(&scanner) else { return nil }
            return .unsatisfied(total: total)
        }
        // Of a longer content not even the length could be counted.
        guard let first = takeNumber(&scanner), scanner.skip("-"), let last = takeNumber(&scanner), first <= last,
            last < .max, scanner.skip("/")
        else { return nil }
        if scanner.skip("*") { return isAtEnd(&scanner) ? .part(first: first, last: last, total: nil) : nil }
        guard let total = takeNumber(&scanner), last < total, isAtEnd(&scanner) else { return nil }
        return .part(first: first, last: last, total: total)
    }

    /// Whether a value is a range of bytes with a number beyond any content.
    static func isImpossible(_ value: String?) -> Bool {
        guard let value, value.utf8.prefix(5).lowercasedText == "bytes" else { return false }
        return value.utf8.split { !$0.isDigit }.contains { Int64(Substring($0)).map { $0 == .max } ?? true }
    }

    private static func takeNumber(_ scanner: inout ByteScanner) -> Int64? {
        Int64(digits: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: scanner.take(while: \.isDigit))))
    }

    private static func isAtEnd(_ scanner: inout ByteScanner) -> Bool {
        scanner.take(while: \.isFieldSpace)
        return scanner.isAtEnd
    }
}

extension ResponseHead {
    /// Whether a successful response declares that its content is only a part. A 206 with the whole content is not
    /// partial.
    ///
    /// Units other than bytes are defined by an API, such as the rows of PostgREST, and do not describe the content.
    var isPartial: Bool {
        guard (200..<300).contains(statusCode), statusCode == 206 || headers.contains("Content-Range") else {
            return false
        }
        guard case .part(let first, let last, let total)? = ContentRange(headers["Content-Range"]) else {
            return statusCode == 206 && !hasForeignRangeUnit
        }
        guard first == 0, last + 1 == total else { return true }
        return expectedContentLength.map { $0 != total } ?? false
    }

    /// The length of the range in `Content-Range`; `nil` if there is none or the content has a content coding.
    var rangeLength: Int64? {
        guard case .part(let first, let last, _)? = ContentRange(headers["Content-Range"]),
            !headers.contains("Content-Encoding")
        else { return nil }
        return last - first + 1
    }

    private var hasForeignRangeUnit: Bool {
        headers["Content-Range"].map { !$0.utf8.lowercasedText.hasPrefix("bytes") } ?? false
    }
}
