import Foundation
import NetworkQueueKit

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
        var operations = (0..<3).map { number in
            queue.add(URLRequest(url: site.url("/files/\(number)"))) { head, data, error in
                print("  \(number): \(data?.count ?? 0) bytes, \(error.map { "\($0.code)" } ?? "ok")")
            }
        }
        // An equal request replaces the earlier one unless `allowsDuplicateRequests` is set.
        let operation = RequestOperation(request: URLRequest(url: site.url("/files/1")))
        operation.autoRetry = true
        operation.autoRetryDelay = .seconds(1)
        queue.add(operation)
        operations.append(operation)
        try check(queue.requestCount == 3, "the earlier request has been replaced")
        queue.isSuspended = false

        await queue.waitUntilEmpty()
        try check(operations[1].error?.code == .cancelled, "the earlier request has been cancelled")
        let sizes = operations.map { $0.data?.count }
        try check(sizes == [20_000, nil, 24_000, 22_000], "the later one has run, and so have the others")
    }
}
