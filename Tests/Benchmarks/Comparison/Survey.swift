import Foundation

/// Every scenario with every contender, and how the figures stand to the targets.
struct Survey {
    let options: BenchmarkOptions
    let output: Output

    /// Returns whether everything could be measured; a target that is missed is a result, too.
    func run() throws -> Bool {
        var targets: [Target] = []
        var hasFailed = false
        let scenarios = options.part.map { [$0] } ?? Scenario.allCases
        for scenario in scenarios {
            switch scenario {
            case .queue: targets += Target.queue(try sized(.queue))
            case .duplicate: targets += Target.duplicate(try sized(.duplicate))
            case .idle: targets += Target.idle(try idle())
            default:
                for concurrency in Self.concurrencies(scenario) {
                    let standing = try comparison(scenario, concurrency).run()
                    standing.report(to: output)
                    hasFailed = hasFailed || !standing.failures.isEmpty
                    targets += Target.transfers(standing, scenario, concurrency: concurrency)
                }
            }
        }
        Target.report(targets, to: output)
        return !hasFailed
    }

    private static func concurrencies(_ scenario: Scenario) -> [Int] {
        switch scenario {
        case .small: [1, 4, 16, 64]
        case .sizing, .memory: [16]
        default: [4]
        }
    }

    private func comparison(_ scenario: Scenario, _ concurrency: Int) -> Comparison {
        var options = options
        options.url = options.url?.appending(path: scenario.serverPath)
        options.concurrency = concurrency
        // What two contenders that are nearly the same differ by is less than what the machine's load makes of one
        // round.
        if scenario == .progress { options.rounds *= 3 }
        options.requests = options.isQuick ? max(4, scenario.requests / 10) : scenario.requests
        let label = scenario == .small ? "\(scenario.rawValue)-\(concurrency)" : scenario.rawValue
        return Comparison(scenario: scenario, label: label, options: options, output: output)
    }

    /// Each round in a process of its own.
    private func sized<Figures: SizedFigures>(_ scenario: Scenario) throws -> [Figures] {
        let sizes = options.isQuick ? options.sizes.filter { $0 <= 100_000 } : options.sizes
        let arguments = ["--rounds", "1", "--sizes", sizes.map(String.init).joined(separator: ",")]
        let all: [Figures] = try (0..<options.rounds).flatMap { _ in try figures(scenario, arguments) }
        let medians = Figures.medians(all)
        report(medians, ["\(scenario.rawValue), medians of \(options.rounds) rounds"] + Figures.table(medians))
        return medians
    }

    private func idle() throws -> IdleScenario.Figures {
        let figures: [IdleScenario.Figures] = try figures(.idle)
        guard let first = figures.first else { throw BenchmarkFailure("idle told nothing") }
        report(figures, first.lines)
        return first
    }

    private func figures<Figures: Decodable>(_ scenario: Scenario, _ arguments: [String] = []) throws -> [Figures] {
        let text = try Comparison.runSelf([scenario.rawValue, "--json"] + arguments)
        return try text.split(separator: "\n").map { try JSONDecoder().decode(Figures.self, from: Data($0.utf8)) }
    }

    private func report(_ figures: [some Encodable], _ lines: [String]) {
        figures.forEach { output.json($0) }
        (lines + [""]).forEach { output.text($0) }
    }
}
