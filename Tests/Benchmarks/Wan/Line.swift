import Foundation
import LineRelay

/// A relay in a process of its own that makes a long line of the way to one port; what it emulates is told in
/// `relay.c`.
final class Line {
    let port: UInt16
    private let helper: HelperProcess

    init(to port: UInt16, roundTripMilliseconds: Int, megabits: Int) throws {
        helper = try HelperProcess(.relay, ["\(port)", "\(roundTripMilliseconds)", "\(megabits)"])
        guard let port = UInt16(helper.line) else { throw BenchmarkFailure("the relay told no port") }
        self.port = port
    }

    /// Ends it; returns what it has needed.
    func stop() -> ResourceUsage { helper.stop() }

    /// What the process of its own does.
    static func relay(_ arguments: [String]) throws -> Int32 {
        guard arguments.count == 3, let port = UInt16(arguments[0]), let milliseconds = Int64(arguments[1]),
            let megabits = Int64(arguments[2])
        else { throw BenchmarkFailure("line-relay PORT MILLISECONDS MEGABITS") }
        var options = line_relay_options(
            server_port: port, round_trip_nanoseconds: milliseconds * 1_000_000,
            bits_per_second: megabits * 1_000_000)
        guard line_relay_run(&options) == 0 else { throw BenchmarkFailure("the relay cannot be set up") }
        return 0
    }
}
