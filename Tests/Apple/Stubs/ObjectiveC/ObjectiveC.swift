// `NSObject` with those of its methods that a subclass could collide with.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
@_exported import Darwin
import Swift
public protocol NSObjectProtocol: AnyObject {
    func isEqual(_ object: Any?) -> Bool
    var hash: Int { get }
    func isKind(of aClass: AnyClass) -> Bool
    func isMember(of aClass: AnyClass) -> Bool
    var description: String { get }
}
open class NSObject: NSObjectProtocol, Equatable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    public init() {}
    open func isEqual(_ object: Any?) -> Bool { false }
    open var hash: Int { 0 }
    open func isKind(of aClass: AnyClass) -> Bool { false }
    open func isMember(of aClass: AnyClass) -> Bool { false }
    open var description: String { "" }
    open var debugDescription: String { "" }
    public var hashValue: Int { 0 }
    public func hash(into hasher: inout Hasher) {}
    public static func == (a: NSObject, b: NSObject) -> Bool { false }
    open func copy() -> Any { 0 }
    open func mutableCopy() -> Any { 0 }
    open func value(forKey key: String) -> Any? { nil }
    open func setValue(_ value: Any?, forKey key: String) {}
    open func willChangeValue(forKey key: String) {}
    open func didChangeValue(forKey key: String) {}
    open func addObserver(
        _ observer: NSObject, forKeyPath keyPath: String, options: UInt, context: UnsafeMutableRawPointer?
    ) {}
    open func removeObserver(_ observer: NSObject, forKeyPath keyPath: String) {}
    open func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [String: Any]?, context: UnsafeMutableRawPointer?
    ) {}
    open class func automaticallyNotifiesObservers(forKey key: String) -> Bool { true }
    open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }
    open class func initialize() {}
    open class func load() {}
    open class func version() -> Int { 0 }
    open var classForCoder: AnyClass { NSObject.self }
    open func finalize() {}
}
public func autoreleasepool<Result, E: Error>(invoking body: () throws(E) -> Result) throws(E) -> Result { try body() }
