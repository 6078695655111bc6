import Foundation

/// Runs every contender in turn, each in a process of its own, round after round.
///
/// In turn, since machines are noisy: what disturbs one round disturbs all contenders of it. Each round begins with
/// another contender, so that none always follows the same one.
struct Comparison {
    let scenario: Scenario
    let label: String
    let options: BenchmarkOptions
    let output: Output

    func run() throws -> Standing {
        let contenders = scenario.contenders.filter(\.isInstalled)
        var standing = Standing(
            title: "\(label): \(options.requests) requests, \(options.concurrency) at a time", label: label)
        for round in 0..<options.rounds {
            for position in contenders.indices {
                let contender = contenders[(position + round) % contenders.count]
                guard standing.failures[contender] == nil else { continue }
                do {
                    standing.measurements[contender, default: []].append(try measure(contender))
                } catch {
                    standing.measurements[contender] = nil
                    standing.failures[contender] = "\(error)"
                }
            }
        }
        return standing
    }

    private func measure(_ contender: Contender) throws -> Measurement {
        let arguments = [
            scenario.rawValue, "--url", options.url?.absoluteString ?? "", "--requests", "\(options.requests)",
            "--concurrency", "\(options.concurrency)", "--contender", contender.rawValue, "--label", label, "--json",
        ]
        let lines = try Self.runSelf(arguments)
        return try JSONDecoder().decode(Measurement.self, from: Data(lines.utf8))
    }

    /// Runs this program with other arguments and returns what it prints.
    static func runSelf(_ arguments: [String]) throws -> String {
        guard let program = Bundle.main.executablePath else { throw BenchmarkFailure("the program is not found") }
        let folder = try ScratchFolder()
        let result = try ChildProcess.run([program] + arguments, output: folder.url.appending(path: "output"))
        guard result.status == 0 else { throw BenchmarkFailure("ended with \(result.status)") }
        return result.output
    }
}
