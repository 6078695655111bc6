import Dispatch
import Foundation
import NetworkQueueKit

enum ServicesAndGracefulStopSnippets {
    static func stop(_ queues: [RequestQueue]) async {
        // snippet: stop
        func stop(_ queues: [RequestQueue], within time: Duration) async {
            for queue in queues { queue.cancelWaiting() }
            let deadline = Task {
                try await Task.sleep(for: time)
                for queue in queues { queue.cancelAll() }
            }
            for queue in queues { await queue.waitUntilEmpty() }
            deadline.cancel()
        }
        // end
        await stop(queues, within: .seconds(20))
    }

    static func signals(_ queues: [RequestQueue], stop: ([RequestQueue]) async -> Void) async {
        // snippet: signal
        signal(SIGTERM, SIG_IGN)  // the source below takes it from here
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        let source = DispatchSource.makeSignalSource(signal: SIGTERM)
        source.setEventHandler { continuation.yield() }
        source.resume()
        for await _ in signals { break }
        source.cancel()
        await stop(queues)
        // end
    }

    static func service(_ statistics: any QueueMonitor, _ log: @escaping @Sendable (String) -> Void) -> [RequestQueue] {
        // snippet: service
        let limit = BandwidthLimit(bytesPerSecond: 20_000_000)
        let queues = ["orders", "images"].map { name in
            let queue = RequestQueue()
            queue.maxConcurrentRequestCount = 16
            queue.retryPolicy = .standard
            queue.bandwidthLimit = limit
            queue.monitors = [statistics, EventLogger { log("[\(name)] \($0)") }]
            return queue
        }
        // end
        return queues
    }

    static func synchronous(_ list: [URL]) {
        // snippet: synchronous
        let queue = NetworkQueue()
        queue.add(contentsOf: list.map { .get($0) })
        queue.go()
        queue.waitUntilFinished()
        print(queue.progress.counts.finished)
        // end
    }
}
