import Dispatch
import Foundation
import NetworkQueueKit

/// What a queue costs while nothing happens in it, in shares of a core.
struct IdleScenario {
    struct Figures: Codable {
        var scenario = Scenario.idle.rawValue
        var seconds: Double
        /// A suspended queue with so many requests.
        var suspendedRequests: Int
        var suspendedCoreShare: Double
        /// Transfers whose server has taken the connection and says nothing.
        var stalledTransfers: Int
        var stalledCoreShare: Double

        var lines: [String] {
            [
                "idle: a suspended queue of \(suspendedRequests): \(format("%.3f %%", suspendedCoreShare * 100)) of a core",
                "idle: \(stalledTransfers) stalled transfers: \(format("%.3f %%", stalledCoreShare * 100)) of a core",
            ]
        }
    }

    var duration = Duration.seconds(5)
    var suspendedRequests = 100_000
    var stalledTransfers = 100

    func run() async throws -> Figures {
        // In this order: once 100,000 requests are released, some later allocation, of anything, has malloc tidy up
        // after them (`malloc_consolidate`). That takes 60 ms, and would be taken for the transfers' share.
        let stalledCoreShare = try await stalled()
        return Figures(
            seconds: duration / .seconds(1), suspendedRequests: suspendedRequests,
            suspendedCoreShare: try await suspended(), stalledTransfers: stalledTransfers,
            stalledCoreShare: stalledCoreShare)
    }

    private func suspended() async throws -> Double {
        let queue = try makeQueue(CountingDelegate())
        queue.isSuspended = true
        guard let url = URL(string: "http://127.0.0.1:9/") else { throw BenchmarkFailure("no URL") }
        for _ in 0..<suspendedRequests { queue.add(url) }
        queue.go()
        let share = try await coreShare()
        queue.reset()
        return share
    }

    private func stalled() async throws -> Double {
        let server = try SilentServer(backlog: stalledTransfers)
        let delegate = CountingDelegate()
        let queue = try makeQueue(delegate)
        queue.maxConcurrentRequestCount = stalledTransfers
        for _ in 0..<stalledTransfers { queue.add(server.url) }
        queue.go()
        let share = try await coreShare()
        guard delegate.startedCount == stalledTransfers, queue.requestCount == stalledTransfers else {
            throw BenchmarkFailure("\(queue.requestCount) transfers are stalled, not \(stalledTransfers)")
        }
        queue.reset()
        return share
    }

    private func makeQueue(_ delegate: CountingDelegate) throws -> NetworkQueue {
        var configuration = NetworkQueue.Configuration()
        configuration.showsAccurateProgress = false
        let queue = NetworkQueue(
            configuration: configuration, transport: try Contender.makeCurlTransport(),
            delegateQueue: DispatchQueue(label: "benchmark"))
        queue.delegate = delegate
        delegates.withLock { $0.append(delegate) }
        return queue
    }

    /// The queue's reference is weak.
    private let delegates = Guarded<[CountingDelegate]>([])

    private func coreShare() async throws -> Double {
        // What starting has left to do is not idleness.
        try await Task.sleep(for: .seconds(1))
        let before = ResourceUsage.current.cpuSeconds
        try await Task.sleep(for: duration)
        return (ResourceUsage.current.cpuSeconds - before) / (duration / .seconds(1))
    }
}
