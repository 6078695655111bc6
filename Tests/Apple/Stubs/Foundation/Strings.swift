// What Foundation adds to strings.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Darwin
import Dispatch
import ObjectiveC

public struct UUID: Hashable, Sendable, Codable, CustomStringConvertible {
    public init() {}
    public init?(uuidString: String) {}
    public var uuidString: String { "" }
    public var description: String { "" }
}
public struct CharacterSet: Equatable, Hashable, Sendable, ExpressibleByArrayLiteral {
    public init(arrayLiteral: Unicode.Scalar...) {}
    public init(_: String) {}
    public init(charactersIn: String) {}
    public static let alphanumerics = CharacterSet(charactersIn: "")
    public static let urlQueryAllowed = CharacterSet(charactersIn: "")
    public static let whitespaces = CharacterSet(charactersIn: "")
    public static let whitespacesAndNewlines = CharacterSet(charactersIn: "")
}
public struct Locale: Hashable, Sendable, Codable {
    public init(identifier: String) {}
    public static var current: Locale { stub() }
}
extension String {
    public struct Encoding: Hashable, Sendable, RawRepresentable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let utf8 = Encoding(rawValue: 4)
        public static let ascii = Encoding(rawValue: 1)
        public static let isoLatin1 = Encoding(rawValue: 5)
        public static let windowsCP1252 = Encoding(rawValue: 12)
        public static let utf16 = Encoding(rawValue: 10)
        public static let utf16LittleEndian = Encoding(rawValue: 0x9400_0100)
    }
    public init(format: String, _ arguments: any CVarArg...) { stub() }
    public init(format: String, arguments: [any CVarArg]) { stub() }
    public init(format: String, locale: Locale?, _ arguments: any CVarArg...) { stub() }
    public init?(data: Data, encoding: Encoding) { stub() }
    public init?<S: Sequence>(bytes: S, encoding: Encoding) where S.Element == UInt8 { stub() }
    public init(contentsOf url: URL, encoding: Encoding) throws { stub() }
    public init(contentsOf url: URL) throws { stub() }
    public init(contentsOfFile path: String) throws { stub() }
    public init(contentsOfFile path: String, encoding: Encoding) throws { stub() }
    public init(localized key: String) { stub() }
}
public struct StringCompareOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let caseInsensitive = Self(rawValue: 1)
    public static let backwards = Self(rawValue: 4)
    public static let literal = Self(rawValue: 2)
    public static let regularExpression = Self(rawValue: 1024)
    public static let anchored = Self(rawValue: 8)
}
public enum ComparisonResult: Int, Sendable { case orderedAscending = -1, orderedSame, orderedDescending }
extension String { public typealias CompareOptions = StringCompareOptions }
extension StringProtocol {
    public func data(using: String.Encoding, allowLossyConversion: Bool = false) -> Data? { nil }
    public func addingPercentEncoding(withAllowedCharacters: CharacterSet) -> String? { nil }
    public var removingPercentEncoding: String? { nil }
    public func trimmingCharacters(in: CharacterSet) -> String { "" }
    public func replacingOccurrences<A: StringProtocol, B: StringProtocol>(
        of: A, with: B, options: String.CompareOptions = [], range: Range<Index>? = nil
    ) -> String { "" }
    public func components(separatedBy: String) -> [String] { [] }
    public func components(separatedBy: CharacterSet) -> [String] { [] }
    public func range<T: StringProtocol>(
        of: T, options: String.CompareOptions = [], range: Range<Index>? = nil, locale: Locale? = nil
    ) -> Range<Index>? { nil }
    public func contains<T: StringProtocol>(_ other: T) -> Bool { false }
    public func caseInsensitiveCompare<T: StringProtocol>(_ other: T) -> ComparisonResult { .orderedSame }
    public func write(to: URL, atomically: Bool, encoding: String.Encoding) throws {}
    public func padding<T: StringProtocol>(toLength: Int, withPad: T, startingAt: Int) -> String { "" }
    public var capitalized: String { "" }
    public var localizedLowercase: String { "" }
}

extension BinaryFloatingPoint {
    public func formatted() -> String { "" }
    public func formatted<S>(_ s: S) -> String { "" }
}
extension BinaryInteger { public func formatted() -> String { "" } }
