import Foundation

/// One contender at one scenario.
struct TransferScenario {
    let scenario: Scenario
    let options: BenchmarkOptions

    func run(_ contender: Contender) async throws -> Measurement {
        guard scenario.contenders.contains(contender) else {
            throw BenchmarkFailure("\(contender.rawValue) is not a contender for \(scenario.rawValue)")
        }
        let folder = try ScratchFolder()
        let runner = try contender.makeRunner(try makeJob(contender, folder: folder.url))
        let measurement = try await Measurement.of(
            scenario: options.label ?? scenario.rawValue, contender: contender.rawValue, requests: options.requests
        ) { try await runner.run() }
        withExtendedLifetime(folder) {}
        return measurement
    }

    private func makeJob(_ contender: Contender, folder: URL) throws -> Job {
        guard let url = options.url else { throw BenchmarkFailure("--url is needed") }
        let urls = (0..<options.requests).map { number in
            // Equal URLs would be sized once.
            contender == .networkQueueCurlSized
                ? url.appending(queryItems: [URLQueryItem(name: "n", value: "\(number)")]) : url
        }
        return Job(urls: urls, concurrency: options.concurrency, folder: scenario == .largeFile ? folder : nil)
    }
}
