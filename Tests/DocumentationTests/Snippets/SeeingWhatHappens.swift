import Foundation
import NetworkQueueKit
import Synchronization

enum SeeingWhatHappensSnippets {
    static func follow(_ queue: NetworkQueue, show: (String) -> Void) async -> NetworkQueue.Summary {
        // snippet: events
        let events = queue.events()  // before the queue starts
        async let summary = queue.run()
        for await event in events {
            switch event {
            case .didUpdate(let progress): show("\(Int(progress.fractionCompleted * 100)) %")
            case .willRetry(let operation, let delay, _): show("\(operation.request.url): again in \(delay)")
            case .didFail(let operation, let error): show("\(operation.request.url): \(error)")
            default: break
            }
        }
        // end
        return await summary
    }

    static func logged(_ queue: RequestQueue, write: @escaping @Sendable (String) -> Void) {
        // snippet: logger
        queue.monitors = [EventLogger { line in write(line) }]
        // end
    }

    // snippet: monitor
    final class Statistics: QueueMonitor {
        private let totals = Mutex((attempts: 0, failures: 0, bytes: Int64(0)))
        var attempts: Int { totals.withLock { $0.attempts } }
        var bytes: Int64 { totals.withLock { $0.bytes } }

        func attemptDidEnd(with error: NetworkError?, metrics: RequestMetrics, in context: AttemptContext) {
            totals.withLock {
                $0.attempts += 1
                $0.failures += error == nil ? 0 : 1
                $0.bytes += metrics.bytesReceived
            }
        }
    }
    // end

    static func figures(_ operation: RequestOperation) {
        // snippet: metrics
        if let metrics = operation.metrics {
            print(metrics.duration, metrics.bytesReceived, metrics.attempts)
            print(metrics.exchange?.httpVersion ?? "?", metrics.exchange?.isConnectionReused ?? false)
        }
        // end
    }

    static func command(_ operation: RequestOperation) -> String {
        // snippet: curl
        print(operation)  // #12 GET https://example.com/file, running, attempt 1
        print(operation.curlCommand())
        // end
        return operation.curlCommand()
    }

    @MainActor
    static func indicate(_ show: (Bool) -> Void) async {
        // snippet: activity
        for await count in NetworkActivity.shared.counts() {
            show(count > 0)
        }
        // end
    }
}
