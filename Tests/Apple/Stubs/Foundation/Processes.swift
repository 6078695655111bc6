// `Process`, which macOS alone has, and what a process says of itself.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Darwin
import Dispatch
import ObjectiveC

open class Pipe: NSObject, @unchecked Sendable {
    public override init() {}
    open var fileHandleForReading: FileHandle { stub() }
    open var fileHandleForWriting: FileHandle { stub() }
}
open class ProcessInfo: NSObject, @unchecked Sendable {
    open class var processInfo: ProcessInfo { stub() }
    open var environment: [String: String] { [:] }
    open var arguments: [String] { [] }
    open var processIdentifier: Int32 { 0 }
    open var processName: String { "" }
    open var hostName: String { "" }
    open var activeProcessorCount: Int { 0 }
    open var processorCount: Int { 0 }
    open var systemUptime: TimeInterval { 0 }
    open var physicalMemory: UInt64 { 0 }
    open var operatingSystemVersionString: String { "" }
    open var globallyUniqueString: String { "" }
}
#if os(macOS)
    open class Process: NSObject, @unchecked Sendable {
        public enum TerminationReason: Int, Sendable { case exit = 1, uncaughtSignal = 2 }
        public override init() {}
        open var executableURL: URL?
        open var arguments: [String]?
        open var environment: [String: String]?
        open var currentDirectoryURL: URL?
        open var standardInput: Any?
        open var standardOutput: Any?
        open var standardError: Any?
        open func run() throws {}
        open func terminate() {}
        open func interrupt() {}
        open func waitUntilExit() {}
        open var isRunning: Bool { false }
        open var terminationStatus: Int32 { 0 }
        open var terminationReason: TerminationReason { .exit }
        open var processIdentifier: Int32 { 0 }
        @preconcurrency open var terminationHandler: (@Sendable (Process) -> Void)?
        open class func run(_ u: URL, arguments: [String], terminationHandler: (@Sendable (Process) -> Void)? = nil)
            throws -> Process
        { stub() }
    }
#endif
