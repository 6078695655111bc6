import Foundation

extension HTTPExchange {
    /// The networks that may carry an exchange, and its type of traffic, as in `URLRequest`.
    ///
    /// ``URLSessionTransport`` honors them on Apple platforms. On Linux no transport of the library can, and a request
    /// with other rules than the defaults fails with ``NetworkError/Code/unsupportedConfiguration``.
    public struct NetworkRules: Sendable, Hashable {
        /// Whether the exchange may use a cellular network. Default `true`.
        public var allowsCellularAccess = true
        /// Whether the exchange may use a network that the system considers expensive, such as a personal hotspot.
        /// Default `true`; always `true` on Linux.
        public var allowsExpensiveNetworkAccess = true
        /// Whether the exchange may use a network in Low Data Mode. Default `true`; always `true` on Linux.
        public var allowsConstrainedNetworkAccess = true
        /// The type of traffic. Default `.default`.
        public var networkServiceType = URLRequest.NetworkServiceType.default

        /// Creates rules that allow every network.
        public init() {}

        /// Creates rules from those of a request.
        public init(_ request: URLRequest) {
            allowsCellularAccess = request.allowsCellularAccess
            allowsExpensiveNetworkAccess = request.allowsExpensiveNetworkAccess
            allowsConstrainedNetworkAccess = request.allowsConstrainedNetworkAccess
            networkServiceType = request.networkServiceType
        }

        func apply(to request: inout URLRequest) {
            request.allowsCellularAccess = allowsCellularAccess
            request.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess
            request.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
            request.networkServiceType = networkServiceType
        }
    }

    /// For a transport that cannot choose the network: throws if the exchange has rules other than the defaults.
    func refuseNetworkRules() throws(URLError) {
        guard let networkRules, networkRules != NetworkRules() else { return }
        var names: [String] = []
        if !networkRules.allowsCellularAccess { names.append("allowsCellularAccess") }
        if !networkRules.allowsExpensiveNetworkAccess { names.append("allowsExpensiveNetworkAccess") }
        if !networkRules.allowsConstrainedNetworkAccess { names.append("allowsConstrainedNetworkAccess") }
        if networkRules.networkServiceType != .default { names.append("networkServiceType") }
        throw .unsupported(
            .dataNotAllowed,
            "It cannot choose the network; leave \(names.joined(separator: ", ")) at the default.")
    }
}
