import Foundation

/// `netqueue-bench tls`: small requests over TLS from a standing start.
struct TLSCommand {
    private struct Lane: Hashable {
        let contender: LineContender
        let version: LineProtocol
        let width: Int
    }

    let options: TLSOptions
    private let output: Output

    init(_ options: TLSOptions) {
        self.options = options
        output = Output(isJSON: options.isJSON)
    }

    /// Returns whether everything could be measured.
    func run() throws -> Bool {
        let server = try BenchmarkServer(isLogged: true)
        defer { server.stop() }
        try Data(repeating: 0x61, count: 1024).write(to: server.tree.appending(path: "1k"))
        var isWhole = true
        for width in options.widths { isWhole = try compare(width, server) && isWhole }
        return isWhole
    }

    private func compare(_ width: Int, _ server: BenchmarkServer) throws -> Bool {
        let lanes = [LineProtocol.secure, .http2].flatMap { version in
            options.contenders.map { Lane(contender: $0, version: version, width: width) }
        }
        var figures: [Lane: [TLSFigures]] = [:]
        var failures: [Lane: String] = [:]
        for round in 0..<options.rounds {
            for position in lanes.indices {
                let lane = lanes[(position + round) % lanes.count]
                guard failures[lane] == nil else { continue }
                do {
                    figures[lane, default: []].append(try measure(lane, server))
                } catch {
                    failures[lane] = "\(error)"
                    figures[lane] = nil
                }
            }
        }
        output.text(
            "tls: \(options.requests) requests of 1 KiB, \(width) at a time, medians of \(options.rounds) rounds")
        for lane in lanes {
            if let failure = failures[lane] {
                output.text(
                    "\(lane.version.rawValue.padded(to: 14)) \(lane.contender.rawValue.padded(to: 14)) FAILED: \(failure)"
                )
            }
            guard let all = figures[lane], let median = TLSFigures.median(all) else { continue }
            output.json(median)
            let curl = figures[Lane(contender: .curl, version: lane.version, width: width)]?.map(\.requestsPerSecond)
            output.text(median.line(range: all.map(\.requestsPerSecond), curl: curl?.median))
        }
        output.text("")
        return failures.isEmpty
    }

    private func measure(_ lane: Lane, _ server: BenchmarkServer) throws -> TLSFigures {
        let run = UUID().uuidString
        let task = DownloadTask(
            contender: lane.contender, url: "https://127.0.0.1:\(server.ports[lane.version] ?? 0)/1k?run=\(run)&n=#",
            count: options.requests, width: lane.width, version: lane.version, certificate: server.certificate)
        let before = try server.acceptedCount()
        let result = try task.runInProcess()
        // Without the one that asks.
        let accepted = try server.acceptedCount() - before - 1
        return TLSFigures(
            contender: lane.contender, version: lane.version, width: lane.width,
            requestsPerSecond: Double(options.requests) / result.seconds, accepted: accepted,
            log: try log(of: run, server))
    }

    /// nginx writes of a request when it has sent the response, which may be a moment after the client has it.
    private func log(of run: String, _ server: BenchmarkServer) throws -> [ServerLog.Entry] {
        for _ in 0..<100 {
            let entries = try server.log(run: run)
            if entries.count >= options.requests {
                let isRight = entries.count == options.requests && entries.allSatisfy { $0.status == 200 }
                guard isRight else { throw BenchmarkFailure("the server has answered \(entries.count) requests") }
                return entries
            }
            usleep(20_000)
        }
        throw BenchmarkFailure("the server has not answered all requests")
    }
}
