import NetworkQueueKit

/// `RequestQueue` with a completion handler for each request.
struct RequestQueueRunner: Runner {
    let job: Job
    let transport: any Transport

    init(_ job: Job, transport: any Transport) {
        self.job = job
        self.transport = transport
    }

    func run() async throws -> Work {
        var configuration = RequestQueue.Configuration()
        configuration.maxConcurrentRequestCount = job.concurrency
        configuration.maxBytesPerSecond = job.bytesPerSecond
        configuration.allowsDuplicateRequests = true
        let queue = RequestQueue(configuration: configuration, transport: transport)
        let tally = Tally(job.urls.count)
        let isUpload = job.method == .put
        for number in job.urls.indices {
            let operation = RequestOperation(job.request(number))
            operation.completionHandler = { [unowned operation] _, _, error in
                let metrics = operation.metrics
                let bytes = isUpload ? metrics?.bytesSent : metrics?.bytesReceived
                tally.note(bytes: bytes ?? 0, hasFailed: error != nil)
            }
            queue.add(operation)
        }
        return Work(bytes: try await tally.total())
    }
}
