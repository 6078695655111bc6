/// What one contender made of small requests over TLS in one run.
struct TLSFigures: Codable {
    var scenario = SubCommand.tls.rawValue
    var contender: LineContender
    var version: LineProtocol
    var width: Int
    var requestsPerSecond: Double
    /// Connections that the server has accepted, with and without a request.
    var accepted: Double
    /// Connections with at least one request, of those the ones with a whole handshake, and with the keys of an earlier
    /// one.
    var connections: Double
    var handshakes: Double
    var resumptions: Double

    init(
        contender: LineContender, version: LineProtocol, width: Int, requestsPerSecond: Double,
        accepted: Int, log: [ServerLog.Entry]
    ) {
        self.contender = contender
        self.version = version
        self.width = width
        self.requestsPerSecond = requestsPerSecond
        self.accepted = Double(accepted)
        let connections = Dictionary(grouping: log, by: \.connection)
        self.connections = Double(connections.count)
        resumptions = Double(connections.values.count { $0.contains(where: \.isResumed) })
        handshakes = self.connections - resumptions
    }

    /// Each column's own median.
    static func median(_ all: [TLSFigures]) -> TLSFigures? {
        guard var result = all.first else { return nil }
        result.requestsPerSecond = all.map(\.requestsPerSecond).median
        result.accepted = all.map(\.accepted).median
        result.connections = all.map(\.connections).median
        result.handshakes = all.map(\.handshakes).median
        result.resumptions = all.map(\.resumptions).median
        return result
    }

    func line(range: [Double], curl: Double?) -> String {
        let ratio = curl.map { format("%6.2f × curl", requestsPerSecond / $0) } ?? ""
        return [
            version.rawValue.padded(to: 14), contender.rawValue.padded(to: 14),
            format("%8.0f req/s", requestsPerSecond), format("%4.0f connections,", accepted),
            format("%4.0f used:", connections),
            format("%4.0f full", handshakes), format("%4.0f resumed handshakes", resumptions), ratio,
            " (\(format("%.0f", range.min() ?? 0))-\(format("%.0f", range.max() ?? 0)) req/s)",
        ].joined(separator: " ")
    }
}
