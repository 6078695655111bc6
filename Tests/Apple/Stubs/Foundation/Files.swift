// `FileManager`, `FileHandle` and what they take.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Darwin
import Dispatch
import ObjectiveC

public struct FileAttributeKey: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let size = FileAttributeKey(rawValue: "")
    public static let posixPermissions = FileAttributeKey(rawValue: "")
    public static let modificationDate = FileAttributeKey(rawValue: "")
    public static let type = FileAttributeKey(rawValue: "")
}
open class FileManager: NSObject, @unchecked Sendable {
    public struct DirectoryEnumerationOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let skipsHiddenFiles = Self(rawValue: 4)
    }
    open class DirectoryEnumerator: Sequence, IteratorProtocol {
        public func next() -> Any? { nil }
        open var allObjects: [Any] { [] }
        open func nextObject() -> Any? { nil }
        open var fileAttributes: [FileAttributeKey: Any]? { nil }
    }
    public enum SearchPathDirectory: UInt, Sendable { case cachesDirectory = 13, documentDirectory = 9 }
    public struct SearchPathDomainMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let userDomainMask = Self(rawValue: 1)
    }
    open class var `default`: FileManager { stub() }
    open func contentsOfDirectory(atPath: String) throws -> [String] { [] }
    open func contentsOfDirectory(
        at: URL, includingPropertiesForKeys: [URLResourceKey]?, options: DirectoryEnumerationOptions = []
    ) throws -> [URL] { [] }
    open func createDirectory(at: URL, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil)
        throws
    {}
    open func createDirectory(
        atPath: String, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil
    ) throws {}
    @discardableResult open func createFile(atPath: String, contents: Data?, attributes: [FileAttributeKey: Any]? = nil)
        -> Bool
    { true }
    open func enumerator(
        at: URL, includingPropertiesForKeys: [URLResourceKey]?, options: DirectoryEnumerationOptions = [],
        errorHandler: ((URL, any Error) -> Bool)? = nil
    ) -> DirectoryEnumerator? { nil }
    open func enumerator(atPath: String) -> DirectoryEnumerator? { nil }
    open func fileExists(atPath: String) -> Bool { false }
    open func fileExists(atPath: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool { false }
    open func removeItem(at: URL) throws {}
    open func removeItem(atPath: String) throws {}
    open func moveItem(at: URL, to: URL) throws {}
    open func copyItem(at: URL, to: URL) throws {}
    open func attributesOfItem(atPath: String) throws -> [FileAttributeKey: Any] { [:] }
    open func setAttributes(_ a: [FileAttributeKey: Any], ofItemAtPath: String) throws {}
    open func contents(atPath: String) -> Data? { nil }
    open func url(for: SearchPathDirectory, in: SearchPathDomainMask, appropriateFor: URL?, create: Bool) throws -> URL
    { stub() }
    open func isExecutableFile(atPath: String) -> Bool { false }
    open func createSymbolicLink(at: URL, withDestinationURL: URL) throws {}
    open func createSymbolicLink(atPath: String, withDestinationPath: String) throws {}
    open func destinationOfSymbolicLink(atPath: String) throws -> String { "" }
    open func subpathsOfDirectory(atPath: String) throws -> [String] { [] }
    open func isWritableFile(atPath: String) -> Bool { false }
    open func isReadableFile(atPath: String) -> Bool { false }
    open func changeCurrentDirectoryPath(_ p: String) -> Bool { false }
    open func contentsEqual(atPath: String, andPath: String) -> Bool { false }
    open func copyItem(atPath: String, toPath: String) throws {}
    open func linkItem(at: URL, to: URL) throws {}
    open func replaceItemAt(_ u: URL, withItemAt: URL) throws -> URL? { nil }
    open var temporaryDirectory: URL { stub() }
    open var currentDirectoryPath: String { "" }
    open var homeDirectoryForCurrentUser: URL { stub() }
}
public struct ObjCBool: Sendable {
    public init(_ v: Bool) {}
    public var boolValue: Bool { false }
}
extension ObjCBool: ExpressibleByBooleanLiteral { public init(booleanLiteral: Bool) {} }
open class FileHandle: NSObject, @unchecked Sendable {
    open class var standardInput: FileHandle { stub() }
    open class var standardOutput: FileHandle { stub() }
    open class var standardError: FileHandle { stub() }
    open class var nullDevice: FileHandle { stub() }
    public init(fileDescriptor: Int32, closeOnDealloc: Bool) {}
    public convenience init(fileDescriptor: Int32) { self.init(fileDescriptor: fileDescriptor, closeOnDealloc: false) }
    public convenience init?(forReadingAtPath: String) { stub() }
    public convenience init?(forWritingAtPath: String) { stub() }
    public convenience init?(forUpdatingAtPath: String) { stub() }
    public convenience init(forReadingFrom: URL) throws { stub() }
    public convenience init(forWritingTo: URL) throws { stub() }
    public convenience init(forUpdating: URL) throws { stub() }
    open var fileDescriptor: Int32 { 0 }
    open func readToEnd() throws -> Data? { nil }
    open func read(upToCount: Int) throws -> Data? { nil }
    open func write<T: DataProtocol>(contentsOf: T) throws {}
    open func write(_ d: Data) {}
    @discardableResult open func seekToEnd() throws -> UInt64 { 0 }
    open func truncate(atOffset: UInt64) throws {}
    open func synchronize() throws {}
    open func offset() throws -> UInt64 { 0 }
    open func seek(toOffset: UInt64) throws {}
    open func close() throws {}
    open var availableData: Data { Data() }
    open func readDataToEndOfFile() -> Data { Data() }
    @preconcurrency open var readabilityHandler: (@Sendable (FileHandle) -> Void)? {
        get { nil }
        set {}
    }
    open var bytes: URL.AsyncBytes { stub() }
}
public struct FileAttributeType: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let typeRegular = Self(rawValue: ""), typeDirectory = Self(rawValue: ""),
        typeSymbolicLink = Self(rawValue: ""), typeSocket = Self(rawValue: ""), typeUnknown = Self(rawValue: "")
}
