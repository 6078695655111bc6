import NetworkQueueKit

/// The recorded requests, if they are kept, and the number of requests per target and method. Plain state.
struct RequestLog {
    private(set) var requests: [ReceivedRequest] = []
    private let keepsRequests: Bool
    private var nextSequence = 0
    /// The sequence number of the first kept request.
    private var firstSequence = 0
    private var counts: [ByteText: [String: Int]] = [:]

    init(keepsRequests: Bool) {
        self.keepsRequests = keepsRequests
    }

    /// Adds a request whose head has arrived and numbers it.
    mutating func add(_ request: inout ReceivedRequest) {
        request.sequence = nextSequence
        nextSequence += 1
        counts[ByteText(request.path), default: [:]][request.method, default: 0] += 1
        if request.query != nil { counts[ByteText(request.target), default: [:]][request.method, default: 0] += 1 }
        if keepsRequests { requests.append(request) }
    }

    /// Replaces a request's record after more of it has arrived.
    mutating func update(_ request: ReceivedRequest) {
        let index = request.sequence - firstSequence
        if requests.indices.contains(index) { requests[index] = request }
    }

    /// Clears the requests and counts, but not the numbering.
    mutating func clear() {
        requests = []
        counts = [:]
        firstSequence = nextSequence
    }

    /// The number of requests for a path, or for an exact target if `path` has a query.
    func count(_ path: String, method: String?) -> Int {
        guard let counts = counts[ByteText(path)] else { return 0 }
        return method.map { counts[$0] ?? 0 } ?? counts.values.reduce(0, +)
    }
}
