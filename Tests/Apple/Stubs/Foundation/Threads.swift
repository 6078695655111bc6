// Locks, threads and run loops.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Darwin
import Dispatch
import ObjectiveC

open class NSLock: NSObject, @unchecked Sendable {
    public override init() {}
    @available(*, noasync) open func lock() {}
    @available(*, noasync) open func unlock() {}
    open func `try`() -> Bool { true }
    public func withLock<R>(_ body: () throws -> R) rethrows -> R { try body() }
}
open class NSCondition: NSObject, @unchecked Sendable {
    public override init() {}
    @available(*, noasync) open func lock() {}
    @available(*, noasync) open func unlock() {}
    open func wait() {}
    open func wait(until: Date) -> Bool { true }
    open func signal() {}
    open func broadcast() {}
    open var name: String?
}
open class NSString: NSObject, @unchecked Sendable {}
open class NSNumber: NSObject, @unchecked Sendable {
    public override init() {}
    public convenience init(value: Int64) { self.init() }
    public convenience init(value: UInt64) { self.init() }
    open var doubleValue: Double { stub() }
}
open class NSArray: NSObject {}
open class NSDictionary: NSObject {}
open class Thread: NSObject, @unchecked Sendable {
    @preconcurrency open class func detachNewThread(_ block: @escaping @Sendable () -> Void) {}
    @available(*, noasync) open class var isMainThread: Bool { false }
    @available(*, noasync) open class var current: Thread { stub() }
    open class func sleep(forTimeInterval: TimeInterval) {}
    @preconcurrency public convenience init(block: @escaping @Sendable () -> Void) { self.init() }
    public override init() {}
    open var name: String?
    open var stackSize: Int = 0
    open var qualityOfService: QualityOfService {
        get { .default }
        set {}
    }
    open func start() {}
    open func cancel() {}
    open var isMainThread: Bool { false }
}
open class RunLoop: NSObject {
    public struct Mode: Hashable, Sendable {
        let n: Int
        public static let `default` = Mode(n: 0)
        public static let common = Mode(n: 1)
    }
    open class var main: RunLoop { stub() }
    @available(*, noasync) open class var current: RunLoop { stub() }
    open func run(mode: Mode, before: Date) -> Bool { false }
    open func add(_ t: Timer, forMode: Mode) {}
    open func run(until: Date) {}
    open func run() {}
    @preconcurrency public func perform(_ block: @escaping @Sendable () -> Void) {}
}
public enum QualityOfService: Int, Sendable {
    case userInteractive = 33, userInitiated = 25, utility = 17, background = 9, `default` = -1
}
open class Timer: NSObject {
    @preconcurrency public convenience init(
        timeInterval: TimeInterval, repeats: Bool, block: @escaping @Sendable (Timer) -> Void
    ) { self.init() }
    public override init() {}
    open func invalidate() {}
}
