import Foundation

/// `netqueue-bench wan`: downloads over a long line.
struct WanCommand {
    let options: WanOptions
    private let output: Output

    init(_ options: WanOptions) {
        self.options = options
        output = Output(isJSON: options.isJSON)
    }

    /// Returns whether everything could be measured.
    func run() throws -> Bool {
        let server = try BenchmarkServer()
        defer { server.stop() }
        let missing = options.contenders.filter { !$0.isInstalled }
        if !missing.isEmpty { output.text("not installed: \(missing.map(\.rawValue).joined(separator: ", "))\n") }
        for work in options.works { try work.write(to: server.tree) }
        var isWhole = true
        for roundTrip in options.roundTrips {
            for work in options.works {
                for lanes in laneGroups {
                    let comparison = WanComparison(
                        work: work, roundTrip: roundTrip, lanes: lanes, options: options, server: server)
                    let standing = try comparison.run()
                    standing.report(to: output)
                    isWhole = isWhole && standing.failures.isEmpty
                }
            }
        }
        return isWhole
    }

    /// What runs in turn within one round.
    private var laneGroups: [[WanLane]] {
        let contenders = options.contenders.filter(\.isInstalled)
        func lanes(_ version: LineProtocol, _ width: Int) -> [WanLane] {
            contenders.filter { $0.canSpeak(version) }
                .map { WanLane(contender: $0, version: version, width: width) }
        }
        guard options.usesHTTP2 else { return options.widths.map { lanes(.plain, $0) } }
        return options.widths.map { lanes(.http2, $0) + lanes(.secure, 6) }
    }
}
