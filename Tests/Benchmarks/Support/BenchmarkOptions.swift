import Foundation

/// What the command line asks for.
struct BenchmarkOptions {
    static let usage = """
        usage: netqueue-bench SCENARIO [--url URL] [--file PATH] [--requests N] [--concurrency C]
                              [--bytes-per-second N] [--monitors N] [--rounds R] [--contender NAME] [--json]
               netqueue-bench all --url BASE --file PATH [--scenario NAME] [--rounds R] [--quick] [--json]
               netqueue-bench wan … | tls … | hosts …     over a long line, over TLS, with many hosts; --help tells their
                              options
               netqueue-bench pauses …                    a download that is paused and resumed

          small, medium    GET --requests times --url, --concurrency at a time, content thrown away
          large-discard    the same for large files
          large-file       the same, content into files
          upload           PUT --file --requests times to names below --url, --concurrency at a time
          sizing           small with a HEAD for each request first; every request has a URL of its own
          progress         small with a delegate that is told of progress, against none
          memory           small to memory, let go as they finish
          queue            no network: adding, running, cancelling at --sizes (1000,10000,100000,1000000) requests
          duplicate        no network: adding with and without a look for duplicates, at --sizes requests waiting
          idle             the CPU time of a queue in which nothing happens
          all              every scenario, and how it stands to the targets; what Tests/Benchmarks/run starts

        Without --contender every contender of the scenario runs in turn, each in a process of its own, for --rounds
        rounds, and medians are reported; queue and duplicate have all their rounds in one process. With --json, standard
        output has one line of JSON for each measurement, and tables go to standard error.
        Contenders: \(Contender.allCases.map(\.rawValue).joined(separator: ", ")).
        """

    /// `nil` for all.
    var scenario: Scenario?
    var url: URL?
    var file: URL?
    var requests = 0
    var concurrency = 4
    var rounds = 5
    var bytesPerSecond: Int?
    /// How many monitors that do nothing the library's queue tells of everything.
    var monitors = 0
    var contender: Contender?
    var isJSON = false
    var isQuick = false
    var sizes = [1_000, 10_000, 100_000, 1_000_000]
    /// What a measurement is called in place of its scenario.
    var label: String?
    /// The one scenario of all that is wanted.
    var part: Scenario?

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        guard let name = rest.popFirst() else { throw BenchmarkFailure("no scenario") }
        if name != "all" {
            scenario = try Self.scenario(name)
            requests = scenario?.requests ?? 0
        }
        while let option = rest.popFirst() {
            switch option {
            case "--json": isJSON = true
            case "--quick": isQuick = true
            default:
                guard let value = rest.popFirst() else { throw BenchmarkFailure("\(option) needs a value") }
                try set(option, value)
            }
        }
        if url == nil, scenario?.isTransfer ?? true { throw BenchmarkFailure("--url is needed") }
    }

    private mutating func set(_ option: String, _ value: String) throws {
        switch option {
        case "--url": url = URL(string: value)
        case "--file": file = URL(filePath: value)
        case "--requests": requests = try Self.number(value)
        case "--concurrency": concurrency = try Self.number(value)
        case "--bytes-per-second": bytesPerSecond = try Self.number(value)
        case "--monitors": monitors = try Self.number(value)
        case "--rounds": rounds = try Self.number(value)
        case "--sizes": sizes = try value.split(separator: ",").map { try Self.number(String($0)) }
        case "--label": label = value
        case "--scenario": part = try Self.scenario(value)
        case "--contender":
            guard let found = Contender(rawValue: value) else { throw BenchmarkFailure("unknown contender \(value)") }
            contender = found
        default: throw BenchmarkFailure("unknown option \(option)")
        }
    }

    private static func scenario(_ name: String) throws -> Scenario {
        guard let scenario = Scenario(rawValue: name) else { throw BenchmarkFailure("unknown scenario \(name)") }
        return scenario
    }

    private static func number(_ text: String) throws -> Int {
        guard let number = Int(text), number > 0 else { throw BenchmarkFailure("not a number: \(text)") }
        return number
    }
}
