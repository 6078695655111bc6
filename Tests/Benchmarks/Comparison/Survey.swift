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
            for concurrency in Self.concurrencies(scenario) {
                let standing = try comparison(scenario, concurrency).run()
                standing.report(to: output)
                hasFailed = hasFailed || !standing.failures.isEmpty
                targets += Target.transfers(standing, scenario, concurrency: concurrency)
            }
        }
        Target.report(targets, to: output)
        return !hasFailed
    }

    private static func concurrencies(_ scenario: Scenario) -> [Int] {
        switch scenario {
        case .small: [1, 4, 16, 64]
        case .memory: [16]
        case .largeFile: [4]
        }
    }

    private func comparison(_ scenario: Scenario, _ concurrency: Int) -> Comparison {
        var options = options
        options.url = options.url?.appending(path: scenario.serverPath)
        options.concurrency = concurrency
        options.requests = options.isQuick ? max(4, scenario.requests / 10) : scenario.requests
        let label = scenario == .small ? "\(scenario.rawValue)-\(concurrency)" : scenario.rawValue
        return Comparison(scenario: scenario, label: label, options: options, output: output)
    }
}
