import Foundation

/// How the content of a response differs from what the request expects; the `underlying` of a `.validation` failure.
public enum ContentMismatch: Error, Sendable, Hashable {
    /// The content has another checksum, given in hexadecimal digits.
    case checksum(expected: NetworkRequest.Checksum, actual: String)
    /// The content has another size, in bytes. One that is too long has been stopped, and may be longer still.
    case size(expected: Int64, actual: Int64)
    /// The expected checksum has too few or too many digits, or something else among them.
    case malformedChecksum(NetworkRequest.Checksum)
}

extension ContentMismatch: LocalizedError {
    /// The difference in words.
    public var errorDescription: String? {
        switch self {
        case .checksum(let expected, let actual): "its \(expected.name) is \(actual), not \(expected.digits)."
        case .size(let expected, let actual): "it has \(actual) bytes, not \(expected)."
        case .malformedChecksum(let checksum):
            "the expected \(checksum.name), “\(checksum.digits)”, does not have \(checksum.digitCount) hexadecimal digits."
        }
    }
}
