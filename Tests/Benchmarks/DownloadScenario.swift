import Dispatch
import Foundation
import NetworkQueueKit
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// GETs of one URL, a number of times, a number at a time.
struct DownloadScenario {
    enum Name: String {
        case small, medium, sizing

        var defaultRequests: Int {
            switch self {
            case .small, .sizing: 10_000
            case .medium: 2_000
            }
        }
    }

    let name: Name
    let options: BenchmarkOptions

    struct Failure: Error {
        let description: String
    }

    func run(_ contender: Contender) async throws -> Measurement {
        guard let url = options.url else { throw Failure(description: "--url is needed") }
        return try await Measurement.of(scenario: name.rawValue, contender: contender, requests: options.requests) {
            switch contender {
            case .networkQueueCurl:
                guard let transport = CurlTransport() else { throw Failure(description: "libcurl cannot be loaded") }
                return try await runNetworkQueue(url, transport: transport)
            case .networkQueueURLSession:
                return try await runNetworkQueue(url, transport: URLSessionTransport())
            case .requestQueueCurl:
                guard let transport = CurlTransport() else { throw Failure(description: "libcurl cannot be loaded") }
                return try await runRequestQueue(url, transport: transport)
            case .urlSession:
                return try await runURLSession(url)
            }
        }
    }

    private func request(_ url: URL, _ number: Int) -> NetworkRequest {
        var request = NetworkRequest(url)
        request.destination = .discard
        if name == .sizing {
            // Equal URLs would be sized once.
            request.urlRequest.url = url.appending(queryItems: [URLQueryItem(name: "n", value: "\(number)")])
        }
        return request
    }

    private func runNetworkQueue(_ url: URL, transport: any Transport) async throws -> Int64 {
        var configuration = NetworkQueue.Configuration()
        configuration.maxConcurrentRequestCount = options.concurrency
        configuration.maximumBytesPerSecond = options.bytesPerSecond
        configuration.showsAccurateProgress = name == .sizing
        let queue = NetworkQueue(
            configuration: configuration, transport: transport, delegateQueue: DispatchQueue(label: "benchmark"))
        let counter = CountingDelegate()
        queue.delegate = counter
        for number in 0..<options.requests { queue.add(request(url, number)) }
        let summary = await queue.run()
        guard summary.isSuccess, counter.finishedCount == options.requests else {
            throw Failure(description: "\(summary.counts) \(summary.firstFailure?.error.description ?? "")")
        }
        return summary.bytesReceived
    }

    private func runRequestQueue(_ url: URL, transport: any Transport) async throws -> Int64 {
        var configuration = RequestQueue.Configuration()
        configuration.maxConcurrentRequestCount = options.concurrency
        configuration.allowsDuplicateRequests = true
        let queue = RequestQueue(configuration: configuration, transport: transport)
        let tally = Tally(options.requests)
        for number in 0..<options.requests {
            let operation = RequestOperation(request(url, number))
            operation.completionHandler = { [unowned operation] _, _, error in
                tally.note(bytes: operation.metrics?.bytesReceived ?? 0, hasFailed: error != nil)
            }
            queue.add(operation)
        }
        return try await tally.total()
    }

    private func runURLSession(_ url: URL) async throws -> Int64 {
        let configuration = URLSessionConfiguration.default
        configuration.httpMaximumConnectionsPerHost = options.concurrency
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration)
        let tally = Tally(options.requests)
        for number in 0..<options.requests {
            session.dataTask(with: request(url, number).urlRequest) { data, response, error in
                let isGood = error == nil && (response as? HTTPURLResponse)?.statusCode == 200
                tally.note(bytes: Int64(data?.count ?? 0), hasFailed: !isGood)
            }.resume()
        }
        return try await tally.total()
    }
}
