import Dispatch
import Foundation
import NetworkQueueKit

/// What the relay does, measured from outside, beside what was asked of it.
struct LineCheck {
    private struct Figure: Codable {
        var scenario = "wan-check"
        var name: String
        var unit: String
        var asked: Double
        var measured: Double
        var worst: Double
    }

    private static let size = 12_500_000
    private static let tries = 10

    let options: WanOptions
    let server: BenchmarkServer
    let output: Output
    private var port: UInt16 { server.ports[.plain] ?? 0 }

    init(options: WanOptions, server: BenchmarkServer, output: Output) {
        self.options = options
        self.server = server
        self.output = output
    }

    /// Returns whether every figure is within 5 % and 2 ms of what was asked.
    func run() throws -> Bool {
        try Data("ready".utf8).write(to: server.tree.appending(path: "one"))
        try Data(count: Self.size).write(to: server.tree.appending(path: "all"))
        try Data(count: Self.size / 50).write(to: server.tree.appending(path: "part"))
        var isAccurate = true
        for roundTrip in options.roundTrips {
            let line = try Line(to: port, roundTripMilliseconds: roundTrip, megabits: options.megabits)
            output.text("\(roundTrip) ms, \(options.megabits) Mbit/s")
            for figure in try delays(line, Double(roundTrip)) + throughputs(line, roundTrip) {
                let slack = figure.asked * 0.05 + (figure.unit == "ms" ? 2 : 0)
                let isGood = abs(figure.measured - figure.asked) <= slack
                isAccurate = isAccurate && isGood
                output.json(figure)
                output.text(
                    "  \(figure.name.padded(to: 44)) asked \(format("%7.2f", figure.asked)), median "
                        + "\(format("%7.2f", figure.measured)), worst \(format("%7.2f", figure.worst)) \(figure.unit)"
                        + (isGood ? "" : "  MISSED"))
            }
            output.text("  \(format("%.2f s", line.stop().cpuSeconds)) CPU of the relay\n")
        }
        return isAccurate
    }

    private func delays(_ line: Line, _ roundTrip: Double) throws -> [Figure] {
        let request = Array("GET /one HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        var first: [Double] = []
        var next: [Double] = []
        var end: [Double] = []
        for _ in 0..<Self.tries {
            let probe = try LineProbe(port: line.port)
            try probe.write(request)
            try probe.read(until: "ready")
            first.append(Self.milliseconds(since: probe.start))
            var start = ContinuousClock.now
            try probe.write(request)
            try probe.read(until: "ready")
            next.append(Self.milliseconds(since: start))
            start = .now
            probe.endSending()
            _ = try probe.readAll()
            end.append(Self.milliseconds(since: start))
        }
        func figure(_ name: String, _ asked: Double, _ all: [Double]) -> Figure {
            Figure(name: name, unit: "ms", asked: asked, measured: all.median, worst: all.max() ?? .nan)
        }
        return [
            figure("connecting and a request", roundTrip * 2, first), figure("the next request", roundTrip, next),
            figure("half-close, answered by the server's end", roundTrip, end),
        ]
    }

    private func throughputs(_ line: Line, _ roundTrip: Int) throws -> [Figure] {
        func figure(_ name: String, connections: Int, _ body: @escaping @Sendable () throws -> Void) throws -> Figure {
            var rates: [Double] = []
            for _ in 0..<3 {
                let start = ContinuousClock.now
                let failures = Guarded(0)
                let group = DispatchGroup()
                for _ in 0..<connections {
                    group.enter()
                    Thread.detachNewThread {
                        do { try body() } catch { failures.withLock { $0 += 1 } }
                        group.leave()
                    }
                }
                group.wait()
                guard failures.withLock({ $0 }) == 0 else { throw BenchmarkFailure("\(name): not all arrived") }
                // The line is idle for the two round trips until the first byte.
                let seconds = Self.milliseconds(since: start) / 1000 - Double(roundTrip) * 2 / 1000
                rates.append(Double(Self.size * 8) / 1e6 / seconds)
            }
            let asked = Double(options.megabits)
            return Figure(
                name: name, unit: "Mbit/s", asked: asked, measured: rates.median,
                worst: rates.max { abs($0 - asked) < abs($1 - asked) } ?? .nan)
        }
        let port = line.port
        @Sendable func get(_ path: String, _ size: Int) throws {
            let probe = try LineProbe(port: port)
            try probe.write(Array("GET /\(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
            guard try probe.readAll().count > size else { throw BenchmarkFailure("the response was cut off") }
        }
        return [
            try figure("down, one connection", connections: 1) { try get("all", Self.size) },
            try figure("down, 50 connections", connections: 50) {
                try get("part", Self.size / 50)
            },
            try figure("up, one connection", connections: 1) {
                let probe = try LineProbe(port: port)
                let head =
                    "PUT /put/all HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(Self.size)\r\n\r\n"
                try probe.write(Array(head.utf8) + [UInt8](repeating: 0, count: Self.size))
                _ = try probe.readAll()
            },
        ]
    }

    private static func milliseconds(since start: ContinuousClock.Instant) -> Double {
        start.duration(to: .now) / .milliseconds(1)
    }
}
