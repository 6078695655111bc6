// `Operation` and its queue.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Darwin
import Dispatch
import ObjectiveC

open class Operation: NSObject, @unchecked Sendable {
    public enum QueuePriority: Int, Sendable { case veryLow = -8, low = -4, normal = 0, high = 4, veryHigh = 8 }
    public override init() {}
    open func start() {}
    open func main() {}
    open var isCancelled: Bool { false }
    open func cancel() {}
    open var isExecuting: Bool { false }
    open var isFinished: Bool { false }
    open var isConcurrent: Bool { false }
    open var isAsynchronous: Bool { false }
    open var isReady: Bool { true }
    open func addDependency(_ op: Operation) {}
    open func removeDependency(_ op: Operation) {}
    open var dependencies: [Operation] { [] }
    open var queuePriority: QueuePriority {
        get { .normal }
        set {}
    }
    @preconcurrency open var completionBlock: (@Sendable () -> Void)? {
        get { nil }
        set {}
    }
    @available(*, noasync) open func waitUntilFinished() {}
    open var threadPriority: Double {
        get { 0 }
        set {}
    }
    open var qualityOfService: QualityOfService {
        get { .default }
        set {}
    }
    open var name: String? {
        get { nil }
        set {}
    }
}
open class BlockOperation: Operation, @unchecked Sendable {
    @preconcurrency public convenience init(block: @escaping @Sendable () -> Void) { self.init() }
}
open class OperationQueue: NSObject, @unchecked Sendable {
    public override init() {}
    open var progress: Progress { stub() }
    open func addOperation(_ op: Operation) {}
    @available(*, noasync) open func addOperations(_ ops: [Operation], waitUntilFinished wait: Bool) {}
    @preconcurrency open func addOperation(_ block: @escaping @Sendable () -> Void) {}
    @preconcurrency open func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void) {}
    open var maxConcurrentOperationCount: Int {
        get { 0 }
        set {}
    }
    open var isSuspended: Bool {
        get { false }
        set {}
    }
    open var name: String? {
        get { nil }
        set {}
    }
    open var qualityOfService: QualityOfService {
        get { .default }
        set {}
    }
    open var underlyingQueue: DispatchQueue? {
        get { nil }
        set {}
    }
    open func cancelAllOperations() {}
    @available(*, noasync) open func waitUntilAllOperationsAreFinished() {}
    open var operations: [Operation] { [] }
    open var operationCount: Int { 0 }
    open class var current: OperationQueue? { nil }
    open class var main: OperationQueue { stub() }
    public static let defaultMaxConcurrentOperationCount = -1
}
