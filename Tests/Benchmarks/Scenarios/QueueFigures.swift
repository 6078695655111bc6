/// What the queue costs for each request, in nanoseconds, at a number of requests.
struct QueueFigures: Codable {
    var scenario = Scenario.queue.rawValue
    var requests: Int
    /// Making the operation.
    var create: Double
    var add: Double
    /// Finishing one and starting the next, where the transport's answers come on one thread.
    var next: Double
    /// A whole run with a transport that answers at once, on a thread of its own.
    var run: Double
    var cancelEach: Double
    var cancelAtRandom: Double
    var cancelAll: Double
    /// Bytes beyond the `URLRequest`: of the operation by itself, and of the operation in the queue; `nil` where the
    /// allocator does not tell.
    var bytesPerOperation: Double?
    var bytesPerRequest: Double?

    static let titles =
        "create      add     next      run  cancel one  at random  cancel all  bytes: operation  queued"

    init(requests: Int, times: [Double], memory: QueueMemory?) {
        self.requests = requests
        create = times[0]
        add = times[1]
        next = times[2]
        run = times[3]
        cancelEach = times[4]
        cancelAtRandom = times[5]
        cancelAll = times[6]
        bytesPerOperation = memory?.operation
        bytesPerRequest = memory?.queued
    }

    private var columns: [Double] {
        [
            create, add, next, run, cancelEach, cancelAtRandom, cancelAll, bytesPerOperation ?? .nan,
            bytesPerRequest ?? .nan,
        ]
    }

    func line(against first: QueueFigures) -> String {
        let widths = [8, 9, 9, 9, 12, 11, 12, 18, 8]
        let figures = zip(widths, columns).map { format("%\($0).0f", $1) }.joined()
        let ratios = zip(columns, first.columns).map { format("%.2f", $0 / $1) }
        return format("%9.0f ", Double(requests)) + figures + "   × first: " + ratios.joined(separator: " ")
    }
}
