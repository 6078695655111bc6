import Foundation

/// One contender at one scenario with a server.
struct TransferScenario {
    let scenario: Scenario
    let options: BenchmarkOptions

    func run(_ contender: Contender) async throws -> Measurement {
        guard scenario.contenders.contains(contender) else {
            throw BenchmarkFailure("\(contender.rawValue) is no contender for \(scenario.rawValue)")
        }
        let folder = try ScratchFolder()
        let runners = try makeJobs(contender, folder: folder.url).map { try contender.makeRunner($0) }
        let measurement = try await Measurement.of(
            scenario: options.label ?? scenario.rawValue, contender: contender.rawValue, requests: options.requests
        ) {
            var work = Work()
            for runner in runners { work = work + (try await runner.run()) }
            return work
        }
        withExtendedLifetime(folder) {}
        return measurement
    }

    private func makeJobs(_ contender: Contender, folder: URL) throws -> [Job] {
        guard let url = options.url else { throw BenchmarkFailure("--url is needed") }
        var job = Job(urls: [], concurrency: options.concurrency)
        job.bytesPerSecond = options.bytesPerSecond
        job.monitors = options.monitors
        job.urls = (0..<options.requests).map { number in
            switch scenario {
            case .upload: url.appending(path: "\(number)")
            // Equal URLs would be sized once.
            case .sizing: url.appending(queryItems: [URLQueryItem(name: "n", value: "\(number)")])
            default: url
            }
        }
        switch scenario {
        case .largeDiscard: job.isLarge = true
        case .largeFile: job.folder = folder
        case .upload:
            guard let file = options.file else { throw BenchmarkFailure("--file is needed") }
            job.method = .put
            job.upload = file
        case .sizing:
            job.wantsSizes = true
            if !contender.sizesByItself {
                var heads = job
                heads.method = .head
                return [heads, job]
            }
        default: break
        }
        return [job]
    }
}
