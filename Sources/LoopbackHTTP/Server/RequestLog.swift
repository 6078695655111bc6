/// What was received: the requests, where they are kept, and how many there were of each. Plain state.
struct RequestLog {
    private(set) var requests: [ReceivedRequest] = []
    private let keepsRequests: Bool
    private var nextSequence = 0
    /// The sequence number of the first kept request.
    private var firstSequence = 0
    private var counts: [String: [String: Int]] = [:]

    init(keepsRequests: Bool) {
        self.keepsRequests = keepsRequests
    }

    /// Enters a request whose head has arrived, and numbers it.
    mutating func add(_ request: inout ReceivedRequest) {
        request.sequence = nextSequence
        nextSequence += 1
        counts[request.path, default: [:]][request.method, default: 0] += 1
        if request.query != nil { counts[request.target, default: [:]][request.method, default: 0] += 1 }
        if keepsRequests { requests.append(request) }
    }

    /// Enters what else has arrived of a request.
    mutating func update(_ request: ReceivedRequest) {
        let index = request.sequence - firstSequence
        if requests.indices.contains(index) { requests[index] = request }
    }

    /// Forgets everything but the numbering.
    mutating func clear() {
        requests = []
        counts = [:]
        firstSequence = nextSequence
    }

    /// How many requests there were for a path, or for a target if it has a query.
    func count(_ path: String, method: String?) -> Int {
        guard let counts = counts[path] else { return 0 }
        return method.map { counts[$0] ?? 0 } ?? counts.values.reduce(0, +)
    }
}
