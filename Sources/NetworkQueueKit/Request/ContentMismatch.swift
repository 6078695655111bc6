import Foundation

/// A difference between the content of a response and what the request expects.
///
/// It is the `underlying` error of `.contentMismatch` failures. It also underlies a `.validation` failure if the media
/// type is not accepted or the expected checksum is malformed.
public enum ContentMismatch: Error, Sendable, Hashable {
    /// The content has a different checksum; `actual` is in hexadecimal digits.
    case checksum(expected: NetworkRequest.Checksum, actual: String)
    /// The content has a different size, in bytes. Content that was too long was cut off, so its full size may exceed
    /// `actual`.
    case size(expected: Int64, actual: Int64)
    /// The expected checksum has the wrong length or contains characters other than hexadecimal digits.
    case malformedChecksum(NetworkRequest.Checksum)
    /// The media type is not among those of ``ResponseValidation/contentTypes(_:)``; `actual` is `nil` if the response
    /// has no `Content-Type`.
    case contentType(expected: [String], actual: String?)
}

extension ContentMismatch: UnsentReason {
    var isUnsent: Bool { if case .malformedChecksum = self { true } else { false } }
}

extension ContentMismatch: LocalizedError {
    /// A phrase that completes a sentence about the content.
    public var errorDescription: String? {
        switch self {
        case .checksum(let expected, let actual): "The \(expected.name) is \(actual), expected \(expected.digits)."
        case .size(let expected, let actual): "The size is \(actual) bytes, expected \(expected)."
        case .malformedChecksum(let checksum):
            "The expected \(checksum.name), “\(checksum.digits)”, is not \(checksum.digitCount) hexadecimal digits."
        case .contentType(let expected, let actual):
            (actual.map { "The content type is “\($0.excerpt)”" } ?? "The content type is missing")
                + ", expected \(expected.map { "“\($0)”" }.joined(separator: " or "))."
        }
    }
}

extension String {
    /// The first 100 characters of text from a server, with control characters replaced.
    fileprivate var excerpt: String {
        let line = String(
            prefix(100).map {
                $0.isASCII && $0.unicodeScalars.allSatisfy { $0.value < 0x20 || $0.value == 0x7f } ? "?" : $0
            })
        return count > 100 ? line + "…" : line
    }
}
