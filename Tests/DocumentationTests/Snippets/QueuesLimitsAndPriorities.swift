import Foundation
import NetworkQueueKit

enum QueuesLimitsAndPrioritiesSnippets {
    static func configured() -> RequestQueue {
        // snippet: configuration
        var configuration = RequestQueue.Configuration()
        configuration.maxConcurrentRequestCount = 8
        configuration.maxConcurrentRequestCountPerHost = 2
        configuration.mode = .lastInFirstOut
        configuration.callbackQueue = .main
        let queue = RequestQueue(configuration: configuration)
        queue.maxConcurrentRequestCount = 4  // at any time, also while requests run
        // end
        return queue
    }

    static func bandwidth(_ downloads: NetworkQueue, _ uploads: NetworkQueue) {
        // snippet: bandwidth
        let limit = BandwidthLimit(bytesPerSecond: 2_000_000)
        downloads.bandwidthLimit = limit
        uploads.bandwidthLimit = limit
        limit.bytesPerSecond = 500_000  // for both, within 100 ms
        // end
    }

    static func rates(_ queue: NetworkQueue) {
        // snippet: rates
        queue.requestRate = RequestRate(60, per: .seconds(60))
        queue.requestRatePerHost = RequestRate(5, per: .seconds(1))
        // end
    }

    static func order(_ url: URL, _ queue: RequestQueue) -> RequestOperation {
        // snippet: priority
        var request = NetworkRequest(url)
        request.priority = .low
        let operation = queue.add(request)
        operation.priority = .high  // while it waits
        operation.moveToFront()  // ahead of all others with this priority
        // end
        return operation
    }

    static func orderBySize(_ queue: RequestQueue) {
        // snippet: order by size
        queue.mode = .smallestFirst
        // end
    }

    static func stages(_ queue: NetworkQueue, _ pages: [NetworkRequest], _ file: URL, _ url: URL) {
        // snippet: stages
        var index = NetworkRequest.put(url, body: .file(file))
        index.stage = 1
        queue.add(index)
        queue.add(contentsOf: pages)  // stage 0
        queue.go()
        // end
    }

    static func defaults(_ queue: NetworkQueue) {
        // snippet: defaults
        queue.headers = ["User-Agent": "Sync/2.1", "Accept-Language": "en"]
        queue.retryPolicy = .standard
        queue.validation = .contentTypes(["application/json"])
        // end
    }

    static func timeouts(_ url: URL) -> NetworkRequest {
        // snippet: timeouts
        var request = NetworkRequest(url)
        request.idleTimeout = .seconds(20)
        request.totalTimeout = .seconds(120)
        // end
        return request
    }
}
