import Foundation

/// What the command line asks for.
struct BenchmarkOptions {
    static let usage = """
        usage: netqueue-bench SCENARIO --url URL [--requests N] [--concurrency C] [--rounds R] [--contender NAME] [--json]
               netqueue-bench all --url BASE [--scenario NAME] [--rounds R] [--quick] [--json]
               netqueue-bench wan …     downloads over a long line; see its --help

          small        GET --url --requests times, --concurrency at a time, and discard the content
          large-file   the same for large files, which are written
          memory       small, with the content in memory until a request has finished; what a waiting request takes
          all          every scenario, and how it compares with the targets; Tests/Benchmarks/run runs this

        Without --contender every contender of the scenario runs in turn, each in a process of its own, for --rounds
        rounds, and medians are reported. With --json, standard output has one line of JSON for each measurement, and
        tables go to standard error.
        Contenders: \(Contender.allCases.map(\.rawValue).joined(separator: ", ")).
        """

    /// `nil` for all.
    var scenario: Scenario?
    var url: URL?
    var requests = 0
    var concurrency = 4
    var rounds = 5
    var contender: Contender?
    var isJSON = false
    var isQuick = false
    /// What a measurement is called in place of its scenario.
    var label: String?
    /// The one scenario of all that is wanted.
    var part: Scenario?

    init(_ arguments: [String]) throws {
        var reader = ArgumentReader(arguments)
        guard let name = reader.next() else { throw BenchmarkFailure("no scenario") }
        if name != "all" {
            scenario = try Self.scenario(name)
            requests = scenario?.requests ?? 0
        }
        while let option = reader.next() {
            switch option {
            case "--json": isJSON = true
            case "--quick": isQuick = true
            case "--url": url = URL(string: try reader.value())
            case "--requests": requests = try reader.number()
            case "--concurrency": concurrency = try reader.number()
            case "--rounds": rounds = try reader.number()
            case "--label": label = try reader.value()
            case "--scenario": part = try Self.scenario(try reader.value())
            case "--contender":
                let value = try reader.value()
                guard let found = Contender(rawValue: value) else {
                    throw BenchmarkFailure("unknown contender \(value)")
                }
                contender = found
            default: throw BenchmarkFailure("unknown option \(option)")
            }
        }
        if url == nil { throw BenchmarkFailure("--url is needed") }
    }

    private static func scenario(_ name: String) throws -> Scenario {
        guard let scenario = Scenario(rawValue: name) else { throw BenchmarkFailure("unknown scenario \(name)") }
        return scenario
    }
}
