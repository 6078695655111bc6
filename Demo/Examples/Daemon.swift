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

/// What the queues log.
private actor Log {
    private(set) var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
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
        let log = Log()
        let queues = (0..<5).map { number in
            var configuration = RequestQueue.Configuration()
            configuration.maxConcurrentRequestCount = 2
            configuration.monitors = [
                StatisticsMonitor(statistics: statistics),
                EventLogger { line in Task { await log.add("[\(number)] \(line)") } },
            ]
            return RequestQueue(configuration: configuration)
        }
        let operations = queues.enumerated().flatMap { number, queue in
            (0..<20).map { queue.add(site.url("/files/\($0)?\(number)")) }
        }

        // What SIGTERM would bring about: what has begun is finished, and nothing else begins.
        for queue in queues { queue.cancelWaiting() }
        for queue in queues { await queue.waitUntilEmpty() }
        try check(queues.allSatisfy { $0.requestCount == 0 }, "all queues are empty")
        let finished = operations.count { $0.status == .finished }
        // Both are told a moment later; the log has a line for the start, the response and the end of each.
        while await log.lines.count < finished * 3 { await Task.yield() }
        while await statistics.attempts < finished { await Task.yield() }
        print("  \(await log.lines.count) lines, such as: \(await log.lines.last ?? "")")
        try check(await statistics.bytes > 0 && finished > 0, "what had begun has been finished, and there are figures")
    }
}
