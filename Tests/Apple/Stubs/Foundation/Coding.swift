// What reads and writes forms of data.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Darwin
import Dispatch
import ObjectiveC

open class Bundle: NSObject, @unchecked Sendable {
    open class var main: Bundle { stub() }
    open var bundleURL: URL { stub() }
    open var executableURL: URL? { nil }
    open var bundlePath: String { "" }
    open var bundleIdentifier: String? { nil }
    open var infoDictionary: [String: Any]? { nil }
    open var executablePath: String? { nil }
    open func object(forInfoDictionaryKey: String) -> Any? { nil }
    open class var allBundles: [Bundle] { [] }
}
open class JSONDecoder: @unchecked Sendable {
    public enum DateDecodingStrategy: Sendable { case iso8601, deferredToDate, secondsSince1970 }
    public enum KeyDecodingStrategy: Sendable { case useDefaultKeys, convertFromSnakeCase }
    public init() {}
    open var dateDecodingStrategy: DateDecodingStrategy = .deferredToDate
    open var keyDecodingStrategy: KeyDecodingStrategy = .useDefaultKeys
    public enum NonConformingFloatDecodingStrategy: Sendable {
        case `throw`
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
    open var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy = .throw
    open var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    open func decode<T: Decodable>(_ t: T.Type, from: Data) throws -> T { stub() }
}
open class JSONEncoder: @unchecked Sendable {
    public struct OutputFormatting: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let prettyPrinted = Self(rawValue: 1)
        public static let sortedKeys = Self(rawValue: 2)
        public static let withoutEscapingSlashes = Self(rawValue: 8)
    }
    public enum DateEncodingStrategy: Sendable { case iso8601, deferredToDate }
    public init() {}
    open var outputFormatting: OutputFormatting = []
    open var dateEncodingStrategy: DateEncodingStrategy = .deferredToDate
    public enum NonConformingFloatEncodingStrategy: Sendable {
        case `throw`
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
    open var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy = .throw
    open func encode<T: Encodable>(_ v: T) throws -> Data { stub() }
}
open class JSONSerialization: NSObject {
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let fragmentsAllowed = ReadingOptions(rawValue: 4)
    }
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let sortedKeys = WritingOptions(rawValue: 2)
        public static let withoutEscapingSlashes = WritingOptions(rawValue: 8)
    }
    open class func jsonObject(with: Data, options: ReadingOptions = []) throws -> Any { stub() }
    open class func data(withJSONObject: Any, options: WritingOptions = []) throws -> Data { stub() }
}
open class Stream: NSObject {
    public struct PropertyKey: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let dataWrittenToMemoryStreamKey = PropertyKey(rawValue: "")
    }
    open class func getBoundStreams(
        withBufferSize: Int, inputStream: UnsafeMutablePointer<InputStream?>?,
        outputStream: UnsafeMutablePointer<OutputStream?>?
    ) {}
    open func open() {}
    open func close() {}
    open func property(forKey: PropertyKey) -> Any? { nil }
    open var streamError: (any Error)? { nil }
}
open class OutputStream: Stream {
    public init(toMemory: ()) {}
    open func write(_ b: UnsafePointer<UInt8>, maxLength: Int) -> Int { 0 }
    open var hasSpaceAvailable: Bool { false }
}
open class InputStream: Stream {
    public init(data: Data) {}
    public init?(url: URL) {}
    public init?(fileAtPath: String) {}
    open func read(_ b: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int { 0 }
    open var hasBytesAvailable: Bool { false }
}
public protocol LocalizedStringResourceStub {}
open class NSRegularExpression: NSObject, @unchecked Sendable {}
open class DateFormatter: NSObject, @unchecked Sendable {
    public override init() {}
    open var dateFormat: String!
    open var locale: Locale!
    open var timeZone: TimeZone!
    open func string(from: Date) -> String { "" }
    open func date(from: String) -> Date? { nil }
}
public func NSTemporaryDirectory() -> String { "" }
public func NSHomeDirectory() -> String { "" }
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
