// The path monitor of Network.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
@_exported import Foundation
public struct NWPath: Equatable, Sendable {
    public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }
    public let status: Status
    public var isExpensive: Bool { false }
    public var isConstrained: Bool { false }
}
public final class NWPathMonitor: Sendable {
    public init() {}
    public var currentPath: NWPath { fatalError() }
    @preconcurrency public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { nil }
        set {}
    }
    public func start(queue: DispatchQueue) {}
    public func cancel() {}
}
