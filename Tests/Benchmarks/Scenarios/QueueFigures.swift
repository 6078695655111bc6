/// What the queue costs for each request, in nanoseconds, at a number of requests.
struct QueueFigures: SizedFigures {
    static let titles =
        "ns per request   create      add     next      run  cancel one  at random  cancel all  bytes: operation  queued"
    static let widths = [9, 14, 9, 9, 9, 12, 11, 12, 18, 8]

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

    init(size: Int, columns: [Double]) {
        requests = size
        create = columns[0]
        add = columns[1]
        next = columns[2]
        run = columns[3]
        cancelEach = columns[4]
        cancelAtRandom = columns[5]
        cancelAll = columns[6]
        bytesPerOperation = columns[7].isNaN ? nil : columns[7]
        bytesPerRequest = columns[8].isNaN ? nil : columns[8]
    }

    var size: Int { requests }

    var columns: [Double] {
        [
            create, add, next, run, cancelEach, cancelAtRandom, cancelAll, bytesPerOperation ?? .nan,
            bytesPerRequest ?? .nan,
        ]
    }
}
