import Dispatch
import Foundation
import NetworkQueueKit

/// PUTs of one file from disk to names below a URL, a number of times, a number at a time.
struct UploadScenario {
    let options: BenchmarkOptions

    struct Failure: Error {
        let description: String
    }

    func run(_ contender: Contender) async throws -> Measurement {
        guard let url = options.url, let file = options.file else {
            throw Failure(description: "--url and --file are needed")
        }
        let transport: any Transport
        switch contender {
        case .networkQueueCurl:
            guard let curl = CurlTransport() else { throw Failure(description: "libcurl cannot be loaded") }
            transport = curl
        case .networkQueueURLSession: transport = URLSessionTransport()
        case .requestQueueCurl, .urlSession: throw Failure(description: "not a contender for uploads")
        }
        return try await Measurement.of(scenario: "upload", contender: contender, requests: options.requests) {
            var configuration = NetworkQueue.Configuration()
            configuration.maxConcurrentRequestCount = options.concurrency
            configuration.maximumBytesPerSecond = options.bytesPerSecond
            let queue = NetworkQueue(
                configuration: configuration, transport: transport, delegateQueue: DispatchQueue(label: "benchmark"))
            let counter = CountingDelegate()
            queue.delegate = counter
            for number in 0..<options.requests {
                var request = NetworkRequest(url.appending(path: "\(number)"))
                request.urlRequest.httpMethod = "PUT"
                request.body = .file(file)
                request.destination = .discard
                queue.add(request)
            }
            let summary = await queue.run()
            guard summary.isSuccess, counter.finishedCount == options.requests else {
                throw Failure(description: "\(summary.counts) \(summary.firstFailure?.error.description ?? "")")
            }
            return summary.bytesSent
        }
    }
}
