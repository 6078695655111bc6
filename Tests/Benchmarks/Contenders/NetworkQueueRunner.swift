import Dispatch
import Foundation
import NetworkQueueKit

/// `NetworkQueue`, as an application would use it.
struct NetworkQueueRunner: Runner {
    let job: Job
    let transport: any Transport
    var isSized = false

    func run() async throws -> Work {
        var configuration = NetworkQueue.Configuration()
        configuration.maxConcurrentRequestCount = job.concurrency
        configuration.showsAccurateProgress = isSized
        configuration.sizingTimeout = .seconds(120)
        let queue = NetworkQueue(
            configuration: configuration, transport: transport, delegateQueue: DispatchQueue(label: "benchmark"))
        let delegate = CountingDelegate()
        queue.delegate = delegate
        for number in job.urls.indices { queue.add(job.request(number)) }
        let summary = await queue.run()
        guard summary.isSuccess, delegate.finishedCount == job.urls.count else {
            throw BenchmarkFailure("\(summary.counts) \(summary.firstFailure?.error.description ?? "")")
        }
        return Work(bytes: summary.bytesReceived)
    }
}
