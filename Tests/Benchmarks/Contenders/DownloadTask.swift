import Foundation

/// What one contender is to download, told to the process that does it.
struct DownloadTask: Codable {
    struct Result: Codable {
        var seconds: Double
    }

    var contender: LineContender
    /// The URL of each request, with `#` where its number goes.
    var url: String
    var count: Int
    var width: Int
    /// The folder for the files, which are named by their number.
    var folder: URL
    var version: LineProtocol
    var certificate: URL?

    func job() throws -> Job {
        let urls = try (0..<count).map { number in
            guard let url = URL(string: url.replacing("#", with: "\(number)")) else {
                throw BenchmarkFailure("no URL: \(url)")
            }
            return url
        }
        var job = Job(urls: urls, concurrency: width, folder: folder)
        if version != .plain {
            job.certificate = certificate
            job.httpVersion = version == .http2 ? .http2 : .http1
        }
        return job
    }

    func run() async throws -> Result {
        let runner = try contender.makeRunner(job())
        let start = ContinuousClock.now
        _ = try await runner.run()
        return Result(seconds: start.duration(to: .now) / .seconds(1))
    }

    /// Runs it in a process of its own.
    func runInProcess() throws -> Result {
        try JSONDecoder().decode(
            Result.self, from: Data(try Comparison.runSelf([SubCommand.task.rawValue, json]).utf8))
    }
}
