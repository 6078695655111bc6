import Dispatch
import Foundation

/// `netqueue-bench`: measures the library against what it is built on.
@main
enum Benchmark {
    /// Waits for ``measure()`` by itself: where `main` is `async` the main thread ends before the process does, which
    /// valgrind cannot follow.
    static func main() {
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            await measure()
            done.signal()
        }
        done.wait()
    }

    private static func measure() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let command = arguments.first.flatMap(SubCommand.init) {
            do { exit(try await command.run(Array(arguments.dropFirst()))) } catch { fail("\(error)") }
        }
        let options: BenchmarkOptions
        do {
            options = try BenchmarkOptions(arguments)
        } catch {
            fail("\(error)\n\n\(BenchmarkOptions.usage)")
        }
        let output = Output(isJSON: options.isJSON)
        do {
            if let scenario = options.scenario {
                try await run(scenario, options, output)
            } else {
                exit(try Survey(options: options, output: output).run() ? 0 : 1)
            }
        } catch {
            fail("\(error)")
        }
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("netqueue-bench: \(message)\n".utf8))
        exit(2)
    }

    private static func run(_ scenario: Scenario, _ options: BenchmarkOptions, _ output: Output) async throws {
        guard let contender = options.contender else {
            let comparison = Comparison(
                scenario: scenario, label: scenario.rawValue, options: options, output: output)
            return try comparison.run().report(to: output)
        }
        let measurement =
            if scenario == .memory {
                try await MemoryScenario(options: options).run(contender)
            } else {
                try await TransferScenario(scenario: scenario, options: options).run(contender)
            }
        if options.isJSON { output.json(measurement) } else { output.text(measurement.line) }
    }
}
