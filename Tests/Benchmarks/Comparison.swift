import Foundation

/// Runs every contender in turn, each in a process of its own, and compares the medians.
///
/// In turn, since machines are noisy: what disturbs one round disturbs all contenders of it.
struct Comparison {
    let scenario: DownloadScenario.Name
    let options: BenchmarkOptions

    func run() throws {
        var measurements: [Contender: [Measurement]] = [:]
        for _ in 0..<options.rounds {
            for contender in Contender.allCases {
                let measurement = try measure(contender)
                measurements[contender, default: []].append(measurement)
                if options.isJSON { print(measurement.json) }
            }
        }
        guard !options.isJSON else { return }
        print(
            "\(scenario.rawValue): \(options.requests) requests, \(options.concurrency) at a time, medians of \(options.rounds) rounds"
        )
        let reference = measurements[.urlSession].map(Self.median)?.requestsPerSecond ?? .nan
        for contender in Contender.allCases {
            guard let all = measurements[contender] else { continue }
            let median = Self.median(all)
            let rates = all.map(\.requestsPerSecond)
            let ratio = Measurement.format("%6.2f × urlsession", median.requestsPerSecond / reference)
            let range = "(\(Int(rates.min() ?? 0))–\(Int(rates.max() ?? 0)) req/s)"
            print(median.line, ratio, range)
        }
    }

    private func measure(_ contender: Contender) throws -> Measurement {
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [
            scenario.rawValue, "--url", options.url?.absoluteString ?? "", "--requests", "\(options.requests)",
            "--concurrency", "\(options.concurrency)", "--contender", contender.rawValue, "--json",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkOptions.Failure(description: "\(contender.rawValue) failed")
        }
        return try JSONDecoder().decode(Measurement.self, from: data)
    }

    private static func median(_ all: [Measurement]) -> Measurement {
        let sorted = all.sorted { $0.requestsPerSecond < $1.requestsPerSecond }
        return sorted[sorted.count / 2]
    }
}
