import Foundation
import NetworkQueueKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

enum RequestQueuePort: Example {
    static let subject = "code written for RequestQueue"

    static func run(_ site: Site) async throws {
        var configuration = RequestQueue.Configuration()
        configuration.maxConcurrentRequestCount = 1
        configuration.mode = .lastInFirstOut
        configuration.callbackQueue = .main
        let queue = RequestQueue(configuration: configuration)

        // `addRequest:completionHandler:`
        queue.isSuspended = true
        let (paths, path) = AsyncStream.makeStream(of: String.self)
        for number in 0..<3 {
            queue.add(URLRequest(url: site.url("/files/\(number)"))) { head, data, error in
                path.yield("\(head?.url.path() ?? "-") \(data?.count ?? 0) \(error.map { "\($0.code)" } ?? "ok")")
            }
        }
        // An equal request takes the place of the earlier one, unless `allowsDuplicateRequests` is set.
        let operation = RequestOperation(request: URLRequest(url: site.url("/files/1")))
        operation.autoRetry = true
        operation.autoRetryDelay = .seconds(1)
        operation.completionHandler = { _, _, _ in path.finish() }
        queue.add(operation)
        try check(queue.requestCount == 3, "the earlier request has been replaced")
        queue.isSuspended = false

        var outcomes: [String] = []
        for await path in paths { outcomes.append(path) }
        await queue.waitUntilEmpty()
        try check(outcomes.first == "- 0 cancelled", "the earlier request has been cancelled")
        try check(operation.data?.count == 22_000, "the later one has run")
    }
}
