// `Progress` and what it takes.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Darwin
import Dispatch
import ObjectiveC

public struct ProgressUserInfoKey: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}
public struct ProgressKind: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let file = ProgressKind(rawValue: "")
}
open class Progress: NSObject, @unchecked Sendable {
    open class func current() -> Progress? { nil }
    public convenience init(totalUnitCount: Int64) { self.init(parent: nil) }
    public init(parent parentProgressOrNil: Progress?, userInfo userInfoOrNil: [ProgressUserInfoKey: Any]? = nil) {}
    open func becomeCurrent(withPendingUnitCount: Int64) {}
    open func addChild(_ child: Progress, withPendingUnitCount: Int64) {}
    open func resignCurrent() {}
    open var totalUnitCount: Int64 {
        get { 0 }
        set {}
    }
    open var completedUnitCount: Int64 {
        get { 0 }
        set {}
    }
    open var localizedDescription: String! {
        get { "" }
        set {}
    }
    open var localizedAdditionalDescription: String! {
        get { "" }
        set {}
    }
    open var isCancellable: Bool {
        get { false }
        set {}
    }
    open var isPausable: Bool {
        get { false }
        set {}
    }
    open var isCancelled: Bool { false }
    open var isPaused: Bool { false }
    @preconcurrency open var cancellationHandler: (@Sendable () -> Void)? {
        get { nil }
        set {}
    }
    @preconcurrency open var pausingHandler: (@Sendable () -> Void)? {
        get { nil }
        set {}
    }
    @preconcurrency open var resumingHandler: (@Sendable () -> Void)? {
        get { nil }
        set {}
    }
    open func setUserInfoObject(_ o: Any?, forKey: ProgressUserInfoKey) {}
    open var isIndeterminate: Bool { false }
    open var fractionCompleted: Double { 0 }
    open var isFinished: Bool { false }
    open func cancel() {}
    open func pause() {}
    open func resume() {}
    open var kind: ProgressKind? {
        get { nil }
        set {}
    }
    open var estimatedTimeRemaining: TimeInterval? {
        get { nil }
        set {}
    }
    open var throughput: Int? {
        get { nil }
        set {}
    }
    open var fileTotalCount: Int? {
        get { nil }
        set {}
    }
    open var fileCompletedCount: Int? {
        get { nil }
        set {}
    }
    open func publish() {}
    open func unpublish() {}
}
