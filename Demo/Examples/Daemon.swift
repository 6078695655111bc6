import Foundation
import NetworkQueueKit
import Synchronization

/// Counts the attempts and bytes of all queues.
private final class Statistics: QueueMonitor {
    private let totals = Mutex((attempts: 0, bytes: Int64(0)))
    var attempts: Int { totals.withLock { $0.attempts } }
    var bytes: Int64 { totals.withLock { $0.bytes } }

    func attemptDidEnd(with error: NetworkError?, metrics: RequestMetrics, in context: AttemptContext) {
        totals.withLock {
            $0.attempts += 1
            $0.bytes += metrics.bytesReceived
        }
    }
}

/// The lines logged by the queues.
private final class Log: Sendable {
    private let content = Mutex<[String]>([])
    var lines: [String] { content.withLock { $0 } }
    func add(_ line: String) { content.withLock { $0.append(line) } }
}

enum Daemon: Example {
    static let subject = "a service with five queues, one speed limit, logs, figures and an orderly end"

    static func run(_ site: Site) async throws {
        let statistics = Statistics()
        let log = Log()
        let limit = BandwidthLimit(bytesPerSecond: 20_000_000)
        let queues = (0..<5).map { number in
            let queue = RequestQueue()
            queue.bandwidthLimit = limit
            queue.monitors = [statistics, EventLogger { log.add("[\(number)] \($0)") }]
            return queue
        }
        let operations = queues.enumerated().flatMap { number, queue in
            (0..<20).map { queue.add(site.url("/files/\($0)?\(number)")) }
        }

        // What the service would do on SIGTERM: finish running requests and start no others.
        for queue in queues { queue.cancelWaiting() }
        for queue in queues { await queue.waitUntilEmpty() }
        try check(queues.allSatisfy { $0.requestCount == 0 }, "all queues are empty")
        let finished = operations.count { $0.status == .finished }
        // The log has three lines per request: start, response and end.
        print("  \(log.lines.count) lines, such as: \(log.lines.last ?? "")")
        try check(finished > 0 && log.lines.count == finished * 3, "what had begun has been finished, and logged")
        try check(statistics.attempts == finished && statistics.bytes > 0, "there are figures")
    }
}
