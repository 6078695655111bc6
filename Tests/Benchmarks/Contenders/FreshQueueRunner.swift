import Dispatch
import Foundation
import NetworkQueueKit

/// `NetworkQueue` from a standing start: its transport is made when it is to run, with no connection yet.
struct FreshQueueRunner: Runner {
    let job: Job
    let isSized: Bool

    func run() async throws -> Work {
        let queue = try makeQueue()
        let delegate = CountingDelegate()
        queue.delegate = delegate
        for number in job.urls.indices { queue.add(job.request(number)) }
        let summary = await queue.run()
        guard summary.isSuccess else {
            throw BenchmarkFailure("\(summary.counts) \(summary.firstFailure?.error.description ?? "")")
        }
        withExtendedLifetime(delegate) {}
        return Work(bytes: summary.bytesReceived)
    }

    private func makeQueue() throws -> NetworkQueue {
        var configuration = NetworkQueue.Configuration()
        configuration.maxConcurrentRequestCount = job.concurrency
        configuration.showsAccurateProgress = isSized
        var settings = TransportConfiguration()
        settings.trustedCertificatesFile = job.certificate
        if job.httpVersion == .http1 { settings.httpVersion = .http1 }
        return NetworkQueue(
            configuration: configuration, transport: try Contender.makeCurlTransport(settings),
            delegateQueue: DispatchQueue(label: "benchmark"))
    }
}
