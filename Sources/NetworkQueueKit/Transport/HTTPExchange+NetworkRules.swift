import Foundation

extension HTTPExchange {
    /// Which networks may carry an exchange, and what kind of traffic it is: what a `URLRequest` says of both.
    ///
    /// ``URLSessionTransport`` honors all of it on Apple platforms. On Linux no transport of the library can, and a
    /// request with other than the defaults fails with ``NetworkError/Code/unsupportedConfiguration``.
    public struct NetworkRules: Sendable, Hashable {
        /// Whether a cellular network may carry the exchange. Default `true`.
        public var allowsCellularAccess = true
        /// Whether a network that the system considers expensive may carry it, such as a personal hotspot. Default
        /// `true`; always `true` on Linux.
        public var allowsExpensiveNetworkAccess = true
        /// Whether a network in Low Data Mode may carry it. Default `true`; always `true` on Linux.
        public var allowsConstrainedNetworkAccess = true
        /// What kind of traffic it is. Default `.default`.
        public var networkServiceType = URLRequest.NetworkServiceType.default

        /// Creates rules that allow every network.
        public init() {}

        /// Creates the rules of a request.
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

    /// Refuses the exchange if only some networks may carry it, for a transport that cannot choose the network.
    func refuseNetworkRules() throws(URLError) {
        guard let networkRules, networkRules != NetworkRules() else { return }
        var names: [String] = []
        if !networkRules.allowsCellularAccess { names.append("allowsCellularAccess") }
        if !networkRules.allowsExpensiveNetworkAccess { names.append("allowsExpensiveNetworkAccess") }
        if !networkRules.allowsConstrainedNetworkAccess { names.append("allowsConstrainedNetworkAccess") }
        if networkRules.networkServiceType != .default { names.append("networkServiceType") }
        throw .unsupported(
            .dataNotAllowed,
            "\(names.joined(separator: ", ")): the transport does not choose the network. Leave it at its default.")
    }
}
