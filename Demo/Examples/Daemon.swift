import Foundation
import NetworkQueueKit

/// Counts what all queues do.
private actor Statistics {
    private(set) var attempts = 0
    private(set) var bytes: Int64 = 0

    func add(_ metrics: RequestMetrics) {
        attempts += 1
        bytes += metrics.bytesReceived
    }
}

private struct StatisticsMonitor: QueueMonitor {
    let statistics: Statistics

    func attemptDidEnd(with error: NetworkError?, metrics: RequestMetrics, in context: AttemptContext) {
        Task { await statistics.add(metrics) }
    }
}

enum Daemon: Example {
    static let subject = "a service with five queues, logs, figures and an orderly end"

    static func run(_ site: Site) async throws {
        let statistics = Statistics()
        let (log, line) = AsyncStream.makeStream(of: String.self)
        let queues = (0..<5).map { number in
            var configuration = RequestQueue.Configuration()
            configuration.maxConcurrentRequestCount = 2
            configuration.monitors = [
                StatisticsMonitor(statistics: statistics), EventLogger { line.yield("[\(number)] \($0)") },
            ]
            return RequestQueue(configuration: configuration)
        }
        for (number, queue) in queues.enumerated() {
            for file in 0..<20 { queue.add(site.url("/files/\(file)?\(number)")) }
        }

        // What SIGTERM would bring about: what has begun is finished, and nothing else begins.
        for queue in queues { queue.cancelWaiting() }
        for queue in queues { await queue.waitUntilEmpty() }
        try check(queues.allSatisfy { $0.requestCount == 0 }, "all queues are empty")
        line.finish()
        var lines: [String] = []
        for await text in log { lines.append(text) }
        print("  \(lines.count) lines, such as: \(lines.last ?? "")")
        while await statistics.attempts * 3 < lines.count { await Task.yield() }
        try check(await statistics.bytes > 0, "there are figures")
    }
}
