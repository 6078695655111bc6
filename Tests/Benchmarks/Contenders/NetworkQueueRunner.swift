import Dispatch
import Foundation
import NetworkQueueKit

/// `NetworkQueue`, as an application would use it.
struct NetworkQueueRunner: Runner {
    let job: Job
    let transport: any Transport
    var hasDelegate = true

    init(_ job: Job, transport: any Transport, hasDelegate: Bool = true) {
        self.job = job
        self.transport = transport
        self.hasDelegate = hasDelegate
    }

    func run() async throws -> Work {
        var configuration = NetworkQueue.Configuration()
        configuration.maxConcurrentRequestCount = job.concurrency
        configuration.maxBytesPerSecond = job.bytesPerSecond
        configuration.showsAccurateProgress = job.wantsSizes
        configuration.sizingTimeout = .seconds(120)
        configuration.monitors = (0..<job.monitors).map { _ in IdleMonitor() }
        let queue = NetworkQueue(
            configuration: configuration, transport: transport, delegateQueue: DispatchQueue(label: "benchmark"))
        let delegate = CountingDelegate()
        if hasDelegate { queue.delegate = delegate }
        for number in job.urls.indices { queue.add(job.request(number)) }
        let summary = await queue.run()
        let finished = hasDelegate ? delegate.finishedCount : summary.counts.finished
        guard summary.isSuccess, finished == job.urls.count else {
            throw BenchmarkFailure("\(summary.counts) \(summary.firstFailure?.error.description ?? "")")
        }
        return Work(bytes: job.method == .put ? summary.bytesSent : summary.bytesReceived)
    }
}
