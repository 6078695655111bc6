import Foundation

/// How the content of a response differs from what the request expects; the `underlying` of a `.contentMismatch`
/// failure, and of a `.validation` failure where it is about the media type or no content can be as expected.
public enum ContentMismatch: Error, Sendable, Hashable {
    /// The content has another checksum, given in hexadecimal digits.
    case checksum(expected: NetworkRequest.Checksum, actual: String)
    /// The content has another size, in bytes. One that is too long has been stopped, and may be longer still.
    case size(expected: Int64, actual: Int64)
    /// The expected checksum has too few or too many digits, or something else among them.
    case malformedChecksum(NetworkRequest.Checksum)
    /// The content has another media type than one of those that ``ResponseValidation/contentTypes(_:)`` names, or none
    /// (`nil`).
    case contentType(expected: [String], actual: String?)
}

extension ContentMismatch: UnsentReason {
    var isUnsent: Bool { if case .malformedChecksum = self { true } else { false } }
}

extension ContentMismatch: LocalizedError {
    /// The difference in words.
    public var errorDescription: String? {
        switch self {
        case .checksum(let expected, let actual): "its \(expected.name) is \(actual), not \(expected.digits)."
        case .size(let expected, let actual): "it has \(actual) bytes, not \(expected)."
        case .malformedChecksum(let checksum):
            "the expected \(checksum.name), “\(checksum.digits)”, does not have \(checksum.digitCount) hexadecimal digits."
        case .contentType(let expected, let actual):
            (actual.map { "its content type is “\($0.excerpt)”" } ?? "it has no content type")
                + ", not \(expected.map { "“\($0)”" }.joined(separator: " or "))."
        }
    }
}

extension String {
    /// The beginning of what a server has sent, as people may read it.
    fileprivate var excerpt: String {
        let line = String(
            prefix(100).map {
                $0.isASCII && $0.unicodeScalars.allSatisfy { $0.value < 0x20 || $0.value == 0x7f } ? "?" : $0
            })
        return count > 100 ? line + "…" : line
    }
}
