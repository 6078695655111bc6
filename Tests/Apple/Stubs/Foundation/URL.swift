// `URL`, `URLComponents` and what a file's URL tells.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Darwin
import Dispatch
import ObjectiveC

public struct URL: Hashable, Sendable, Codable, CustomStringConvertible, CustomDebugStringConvertible {
    public enum DirectoryHint: Sendable { case isDirectory, notDirectory, checkFileSystem, inferFromPath }
    public init?(string: String) {}
    public init?(string: String, relativeTo url: URL?) {}
    public init?(string: String, encodingInvalidCharacters: Bool) {}
    public init(fileURLWithPath: String) {}
    public init(fileURLWithPath: String, isDirectory: Bool) {}
    public init(filePath: String, directoryHint: DirectoryHint = .inferFromPath, relativeTo: URL? = nil) {}
    public init?(dataRepresentation: Data, relativeTo: URL?, isAbsolute: Bool = false) {}
    public var absoluteString: String { "" }
    public var relativeString: String { "" }
    public var absoluteURL: URL { self }
    public var baseURL: URL? { nil }
    public var standardized: URL { self }
    public var standardizedFileURL: URL { self }
    public var scheme: String? { nil }
    public var host: String? { nil }
    public var port: Int? { nil }
    public var user: String? { nil }
    public var password: String? { nil }
    public var path: String { "" }
    public var query: String? { nil }
    public var fragment: String? { nil }
    public func host(percentEncoded: Bool = true) -> String? { nil }
    public func user(percentEncoded: Bool = true) -> String? { nil }
    public func password(percentEncoded: Bool = true) -> String? { nil }
    public func path(percentEncoded: Bool = true) -> String { "" }
    public func query(percentEncoded: Bool = true) -> String? { nil }
    public func fragment(percentEncoded: Bool = true) -> String? { nil }
    public var isFileURL: Bool { false }
    public var hasDirectoryPath: Bool { false }
    public var lastPathComponent: String { "" }
    public var pathExtension: String { "" }
    public var pathComponents: [String] { [] }
    public func appending(component: String, directoryHint: DirectoryHint = .inferFromPath) -> URL { self }
    public func appending(components: String..., directoryHint: DirectoryHint = .inferFromPath) -> URL { self }
    public func appending(path: String, directoryHint: DirectoryHint = .inferFromPath) -> URL { self }
    public func appending(queryItems: [URLQueryItem]) -> URL { self }
    public func appendingPathComponent(_ c: String) -> URL { self }
    public func appendingPathExtension(_ c: String) -> URL { self }
    public func deletingLastPathComponent() -> URL { self }
    public func deletingPathExtension() -> URL { self }
    public func resolvingSymlinksInPath() -> URL { self }
    public mutating func append(path: String, directoryHint: DirectoryHint = .inferFromPath) {}
    public func withUnsafeFileSystemRepresentation<R>(_ block: (UnsafePointer<Int8>?) throws -> R) rethrows -> R {
        try block(nil)
    }
    public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues { URLResourceValues() }
    public mutating func setResourceValues(_ values: URLResourceValues) throws {}
    public static var temporaryDirectory: URL { stub() }
    public static func currentDirectory() -> URL { stub() }
    public var description: String { "" }
    public var debugDescription: String { "" }
    public var lines: AsyncLineSequence<AsyncBytes> { stub() }
    public struct AsyncBytes: AsyncSequence, Sendable {
        public typealias Element = UInt8
        public struct AsyncIterator: AsyncIteratorProtocol {
            public mutating func next() async throws -> UInt8? { nil }
        }
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
    }
}
public struct AsyncLineSequence<Base: AsyncSequence>: AsyncSequence where Base.Element == UInt8 {
    public typealias Element = String
    public struct AsyncIterator: AsyncIteratorProtocol { public mutating func next() async throws -> String? { nil } }
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}
public struct URLResourceKey: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let isDirectoryKey = URLResourceKey(rawValue: "")
    public static let isRegularFileKey = URLResourceKey(rawValue: "")
    public static let fileSizeKey = URLResourceKey(rawValue: "")
    public static let contentModificationDateKey = URLResourceKey(rawValue: "")
}
public struct URLResourceValues {
    public init() {}
    public var isDirectory: Bool? { nil }
    public var isRegularFile: Bool? { nil }
    public var fileSize: Int? { nil }
    public var contentModificationDate: Date?
}
public struct URLQueryItem: Hashable, Sendable {
    public init(name: String, value: String?) {
        self.name = name
        self.value = value
    }
    public var name: String
    public var value: String?
}
public struct URLComponents: Hashable, Sendable {
    public init() {}
    public init?(string: String) {}
    public init?(string: String, encodingInvalidCharacters: Bool) {}
    public init?(url: URL, resolvingAgainstBaseURL: Bool) {}
    public var scheme: String?
    public var host: String?
    public var encodedHost: String?
    public var port: Int?
    public var user: String?
    public var password: String?
    public var path: String = ""
    public var query: String?
    public var fragment: String?
    public var percentEncodedUser: String?
    public var percentEncodedPassword: String?
    public var percentEncodedHost: String?
    public var percentEncodedPath: String = ""
    public var percentEncodedQuery: String?
    public var percentEncodedFragment: String?
    public var queryItems: [URLQueryItem]?
    public var percentEncodedQueryItems: [URLQueryItem]?
    public var url: URL? { nil }
    public var string: String? { nil }
}
