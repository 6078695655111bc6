import NetworkQueueKit

/// `RequestQueue` with a completion handler for each request.
struct RequestQueueRunner: Runner {
    let job: Job
    let transport: any Transport

    func run() async throws -> Work {
        var configuration = RequestQueue.Configuration()
        configuration.maxConcurrentRequestCount = job.concurrency
        configuration.allowsDuplicateRequests = true
        let queue = RequestQueue(configuration: configuration, transport: transport)
        let tally = Tally(job.urls.count)
        for number in job.urls.indices {
            let operation = RequestOperation(job.request(number))
            operation.completionHandler = { [unowned operation] _, _, error in
                tally.note(bytes: operation.metrics?.bytesReceived ?? 0, hasFailed: error != nil)
            }
            queue.add(operation)
        }
        return Work(bytes: try await tally.total())
    }
}
