// `Data` and what it conforms to.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Darwin
import Dispatch
import ObjectiveC

public protocol ContiguousBytes { func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R }
extension Array: ContiguousBytes where Element == UInt8 {}
extension ArraySlice: ContiguousBytes where Element == UInt8 {}
extension UnsafeRawBufferPointer: ContiguousBytes {
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { try body(self) }
}
public protocol DataProtocol: RandomAccessCollection<UInt8> {}
extension DataProtocol {
    @discardableResult public func copyBytes(to: UnsafeMutableRawBufferPointer) -> Int { 0 }
    @discardableResult public func copyBytes(to: UnsafeMutableRawBufferPointer, count: Int) -> Int { 0 }
    @discardableResult public func copyBytes<R: RangeExpression>(to: UnsafeMutableRawBufferPointer, from: R) -> Int
    where R.Bound == Index { 0 }
    @discardableResult public func copyBytes<D>(to: UnsafeMutableBufferPointer<D>) -> Int { 0 }
}
public protocol MutableDataProtocol: DataProtocol, MutableCollection, RangeReplaceableCollection {}
extension Array: DataProtocol where Element == UInt8 {}
extension ArraySlice: DataProtocol where Element == UInt8 {}
public struct Data: Equatable, Hashable, RandomAccessCollection, MutableCollection, RangeReplaceableCollection,
    MutableDataProtocol, ContiguousBytes, Sendable, Codable, CustomStringConvertible
{
    public typealias Index = Int
    public typealias Indices = Range<Int>
    public typealias SubSequence = Data
    public struct Iterator: IteratorProtocol, Sendable { public mutating func next() -> UInt8? { nil } }
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let mappedIfSafe = ReadingOptions(rawValue: 1)
        public static let alwaysMapped = ReadingOptions(rawValue: 8)
        public static let uncached = ReadingOptions(rawValue: 2)
    }
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let atomic = WritingOptions(rawValue: 1)
        public static let withoutOverwriting = WritingOptions(rawValue: 2)
    }
    public struct Base64EncodingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    public struct Base64DecodingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let ignoreUnknownCharacters = Base64DecodingOptions(rawValue: 1)
    }
    public struct SearchOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    public enum Deallocator { case free, none, custom((UnsafeMutableRawPointer, Int) -> Void) }
    public init() {}
    public init(bytes: UnsafeRawPointer, count: Int) {}
    public init<SourceType>(buffer: UnsafeBufferPointer<SourceType>) {}
    public init<SourceType>(buffer: UnsafeMutableBufferPointer<SourceType>) {}
    public init(repeating repeatedValue: UInt8, count: Int) {}
    public init(capacity: Int) {}
    public init(count: Int) {}
    public init(bytesNoCopy bytes: UnsafeMutableRawPointer, count: Int, deallocator: Deallocator) {}
    public init(contentsOf url: URL, options: ReadingOptions = []) throws {}
    public init(contentsOfFile p: String) throws { stub() }
    public init?(base64Encoded base64String: String, options: Base64DecodingOptions = []) {}
    public init?(base64Encoded base64Data: Data, options: Base64DecodingOptions = []) {}
    public init<S: Sequence>(_ elements: S) where S.Element == UInt8 {}
    public init(from decoder: any Decoder) throws { stub() }
    public func encode(to encoder: any Encoder) throws {}
    public var count: Int {
        get { 0 }
        set {}
    }
    public var startIndex: Int { 0 }
    public var endIndex: Int { 0 }
    public subscript(index: Int) -> UInt8 {
        get { 0 }
        set {}
    }
    public subscript(bounds: Range<Int>) -> Data {
        get { self }
        set {}
    }
    public subscript<R: RangeExpression>(_ r: R) -> Data where R.Bound: FixedWidthInteger {
        get { self }
        set {}
    }
    public func index(before i: Int) -> Int { i }
    public func index(after i: Int) -> Int { i }
    public var indices: Range<Int> { 0..<0 }
    public func makeIterator() -> Iterator { Iterator() }
    public mutating func reserveCapacity(_ n: Int) {}
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { stub() }
    public mutating func withUnsafeMutableBytes<R>(_ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows -> R {
        stub()
    }
    public mutating func append(_ bytes: UnsafePointer<UInt8>, count: Int) {}
    public mutating func append(_ other: Data) {}
    public mutating func append<S>(_ buffer: UnsafeBufferPointer<S>) {}
    public mutating func append(contentsOf bytes: [UInt8]) {}
    public mutating func append<S: Sequence>(contentsOf elements: S) where S.Element == UInt8 {}
    public mutating func replaceSubrange<C: Collection>(_ subrange: Range<Int>, with newElements: C)
    where C.Element == UInt8 {}
    public mutating func resetBytes(in range: Range<Int>) {}
    public func copyBytes(to pointer: UnsafeMutablePointer<UInt8>, count: Int) {}
    public func subdata(in range: Range<Int>) -> Data { self }
    public func range(of dataToFind: Data, options: SearchOptions = [], in range: Range<Int>? = nil) -> Range<Int>? {
        nil
    }
    public func base64EncodedString(options: Base64EncodingOptions = []) -> String { "" }
    public func base64EncodedData(options: Base64EncodingOptions = []) -> Data { self }
    public func write(to url: URL, options: WritingOptions = []) throws {}
    public func hash(into hasher: inout Hasher) {}
    public static func == (a: Data, b: Data) -> Bool { false }
    public var description: String { "" }
}
