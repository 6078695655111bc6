extension LoopbackServer {
    /// All requests in the order in which their heads arrived; empty if the server does not record requests.
    ///
    /// A request appears as soon as its head has arrived, before its body; see ``ReceivedRequest/isComplete``.
    public var requests: [ReceivedRequest] {
        core.update { $0.log.requests }
    }

    /// Returns the number of requests for a path with any query, or for an exact target if `path` has a query.
    ///
    /// - Parameters:
    ///   - path: The path to count.
    ///   - method: Counts only this method; `nil` (default) counts all.
    public func requestCount(_ path: String, method: String? = nil) -> Int {
        core.update { $0.log.count(path, method: method) }
    }

    /// Clears ``requests`` and the counts of ``requestCount(_:method:)``; ``counters`` and sequence numbers continue.
    public func forgetRequests() {
        core.update { $0.log.clear() }
    }

    /// The number of connections accepted in total.
    public var connectionCount: Int { counters.connections }

    /// The number of open connections.
    public var openConnectionCount: Int { counters.openConnections }

    /// The greatest number of connections that were open at the same time.
    public var peakOpenConnectionCount: Int { counters.peakOpenConnections }

    /// The greatest number of requests that were being answered at the same time, across all paths.
    public var peakConcurrentRequestCount: Int { counters.peakConcurrentRequests }
}
