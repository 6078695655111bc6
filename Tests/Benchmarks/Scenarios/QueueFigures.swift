/// What the queue costs for each request, in nanoseconds, at a number of requests.
struct QueueFigures: Codable {
    var scenario = Scenario.queue.rawValue
    var requests: Int
    var create: Double
    var add: Double
    /// Finish one and start the next: a whole run by a transport that answers at once.
    var run: Double
    var cancelEach: Double
    var cancelAtRandom: Double
    var cancelAll: Double
    /// Beyond the `URLRequest`; `nil` where the allocator does not tell.
    var bytesPerRequest: Double?

    static let titles = "create      add      run  cancel one  at random  cancel all  bytes each"

    var columns: [Double] {
        [create, add, run, cancelEach, cancelAtRandom, cancelAll, bytesPerRequest ?? .nan]
    }

    init(requests: Int, columns: [Double], bytesPerRequest: Double?) {
        self.requests = requests
        create = columns[0]
        add = columns[1]
        run = columns[2]
        cancelEach = columns[3]
        cancelAtRandom = columns[4]
        cancelAll = columns[5]
        self.bytesPerRequest = bytesPerRequest
    }

    var line: String {
        let widths = ["%8.0f", "%9.0f", "%9.0f", "%12.0f", "%11.0f", "%12.0f", "%12.0f"]
        return format("%9.0f ", Double(requests)) + zip(widths, columns).map { format($0, $1) }.joined()
    }

    func line(against first: QueueFigures) -> String {
        let ratios = zip(columns, first.columns).map { format("%.2f", $0 / $1) }
        return line + "   × first: " + ratios.joined(separator: " ")
    }
}
