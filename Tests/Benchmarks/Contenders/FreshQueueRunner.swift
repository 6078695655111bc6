import Dispatch
import Foundation
import NetworkQueueKit

/// `NetworkQueue` from a standing start: its transport is made when it is to run, with no connection yet.
struct FreshQueueRunner: Runner {
    let job: Job
    let isSized: Bool
    /// How many sizes are asked for at a time; `nil` leaves the library's default.
    var checkers: Int?

    func run() async throws -> Work {
        let queue = try makeQueue()
        let delegate = CountingDelegate()
        queue.delegate = delegate
        let work = try await run(queue)
        withExtendedLifetime(delegate) {}
        return work
    }

    func run(_ queue: NetworkQueue) async throws -> Work {
        for number in job.urls.indices { queue.add(job.request(number)) }
        let summary = await queue.run()
        guard summary.isSuccess else {
            throw BenchmarkFailure("\(summary.counts) \(summary.firstFailure?.error.description ?? "")")
        }
        return Work(bytes: summary.bytesReceived)
    }

    func makeQueue() throws -> NetworkQueue {
        var configuration = NetworkQueue.Configuration()
        configuration.maxConcurrentRequestCount = job.concurrency
        configuration.showsAccurateProgress = isSized
        if let checkers { configuration.maxConcurrentSizingCount = checkers }
        var settings = TransportConfiguration()
        settings.trustedCertificatesFile = job.certificate
        if job.httpVersion == .http1 { settings.httpVersion = .http1 }
        return NetworkQueue(
            configuration: configuration, transport: try Self.makeTransport(settings),
            delegateQueue: DispatchQueue(label: "benchmark"))
    }

    private static func makeTransport(_ configuration: TransportConfiguration) throws -> any Transport {
        #if canImport(Glibc)
            if let transport = CurlTransport(configuration: configuration) { return transport }
        #endif
        throw BenchmarkFailure("libcurl cannot be loaded")
    }
}
