// The path monitor of Network, and proxies.
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
public enum NWEndpoint: Hashable, Sendable {
    public enum Host: Hashable, Sendable {
        case name(String)
        public init(_ string: String) { self = .name(string) }
    }
    public struct Port: Hashable, Sendable {
        public init?(rawValue: UInt16) {}
    }
    case hostPort(host: Host, port: Port)
}
public class NWProtocolOptions { public init() {} }
public class NWProtocolTLS {
    public class Options: NWProtocolOptions, @unchecked Sendable {}
}
public struct ProxyConfiguration: Sendable {
    public init(httpCONNECTProxy: NWEndpoint, tlsOptions: NWProtocolTLS.Options? = nil) {}
    public init(socksv5Proxy: NWEndpoint) {}
    public mutating func applyCredential(username: String, password: String) {}
}
extension URLSessionConfiguration {
    public var proxyConfigurations: [ProxyConfiguration] {
        get { [] }
        set {}
    }
}
