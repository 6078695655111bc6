extension LoopbackServer {
    /// All requests, in the order in which their heads arrived; empty if requests are not recorded.
    ///
    /// A request is here as soon as its head has arrived. Its body follows; see ``ReceivedRequest/isComplete``.
    public var requests: [ReceivedRequest] {
        core.update { $0.log.requests }
    }

    /// The number of requests for a path, whatever their query, or for a target if `path` has a query.
    ///
    /// - Parameter method: Counts only this method; `nil` (default) counts all.
    public func requestCount(_ path: String, method: String? = nil) -> Int {
        core.update { $0.log.count(path, method: method) }
    }

    /// Forgets ``requests`` and what ``requestCount(_:method:)`` counted; ``counters`` and sequence numbers go on.
    public func forgetRequests() {
        core.update { $0.log.clear() }
    }

    /// The number of accepted connections.
    public var connectionCount: Int { counters.connections }

    /// The number of connections that are open now.
    public var openConnectionCount: Int { counters.openConnections }

    /// The greatest number of connections that were open at the same time.
    public var peakOpenConnectionCount: Int { counters.peakOpenConnections }

    /// The greatest number of requests that were being answered at the same time, on all paths.
    public var peakConcurrentRequestCount: Int { counters.peakConcurrentRequests }
}
