import Foundation

/// `netqueue-bench`: measures the library against what it is built on.
@main
enum Benchmark {
    static func main() async {
        do {
            let options = try BenchmarkOptions(Array(CommandLine.arguments.dropFirst()))
            let output = Output(isJSON: options.isJSON)
            guard let scenario = options.scenario else {
                exit(try Survey(options: options, output: output).run() ? 0 : 1)
            }
            try await run(scenario, options, output)
        } catch {
            FileHandle.standardError.write(Data("netqueue-bench: \(error)\n\n\(BenchmarkOptions.usage)\n".utf8))
            exit(2)
        }
    }

    private static func run(_ scenario: Scenario, _ options: BenchmarkOptions, _ output: Output) async throws {
        switch (scenario, options.contender) {
        case (.queue, _):
            let figures = QueueScenario.run(sizes: options.sizes)
            if options.isJSON {
                figures.forEach { output.json($0) }
            } else {
                (QueueScenario.table(figures) + [""] + DuplicateScenario.run(sizes: options.sizes))
                    .forEach { output.text($0) }
            }
        case (.idle, _):
            let figures = try await IdleScenario().run()
            if options.isJSON { output.json(figures) } else { figures.lines.forEach { output.text($0) } }
        case (_, let contender?):
            let measurement =
                scenario == .memory
                ? try await MemoryScenario(options: options).run(contender)
                : try await TransferScenario(scenario: scenario, options: options).run(contender)
            if options.isJSON { output.json(measurement) } else { output.text(measurement.line) }
        case (_, nil):
            let comparison = Comparison(
                scenario: scenario, label: scenario.rawValue, options: options, output: output)
            try comparison.run().report(to: output)
        }
    }
}
