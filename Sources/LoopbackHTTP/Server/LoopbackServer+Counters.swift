extension LoopbackServer {
    /// All counts of a server at one moment.
    public struct Counters: Sendable, Hashable {
        /// Requests whose heads arrived.
        public var requests: Int
        /// Heads and bodies that were not HTTP/1.1, answered with 400 or 431.
        public var malformedRequests: Int
        /// Connections accepted in all.
        public var connections: Int
        /// Connections open now. One that the server closes counts no more when its last bytes are about to be sent.
        public var openConnections: Int
        /// Connections that count as closed though the server has yet to send their FIN.
        public var closingConnections: Int
        /// The greatest number of connections open at the same time.
        public var peakOpenConnections: Int
        /// Requests being answered now: from the end of the head until the last byte is about to be sent.
        public var concurrentRequests: Int
        /// The greatest number of requests being answered at the same time.
        public var peakConcurrentRequests: Int
    }

    /// All counts at this moment, consistent with each other.
    public var counters: Counters {
        core.update { $0.counters }
    }

    /// Suspends until the counts satisfy a condition, such as `{ $0.openConnections == 0 }`; at once if they do.
    ///
    /// - Parameters:
    ///   - timeout: How long at most; 5 minutes by default.
    ///   - condition: Called under the server's lock, so it must not use the server.
    /// - Returns: False if the timeout passed or the task was cancelled before.
    @discardableResult
    public func wait(
        timeout: Duration = .seconds(300), until condition: @escaping @Sendable (Counters) -> Bool
    ) async -> Bool {
        await Waiting.suspend(
            timeout: timeout,
            register: { self.register(condition, resume: $0) },
            // Weak: the timer outlives the wait, and should not keep the server's descriptors.
            giveUp: { [weak core] id in core.map { LoopbackServer.giveUp(id, $0) } })
    }

    /// Blocks the calling thread until the counts satisfy a condition; at once if they do.
    ///
    /// - Parameters:
    ///   - timeout: How long at most; 5 minutes by default.
    ///   - condition: Called under the server's lock, so it must not use the server.
    /// - Returns: False if the timeout passed before.
    @available(*, noasync)
    @discardableResult
    public func wait(
        timeout: Duration = .seconds(300), until condition: @escaping @Sendable (Counters) -> Bool
    ) -> Bool {
        Waiting.block(
            timeout: timeout,
            register: { register(condition, resume: $0) },
            giveUp: { LoopbackServer.giveUp($0, core) })
    }

    /// Registers an observer; one whose condition holds is resumed when the update ends, before this returns.
    private func register(
        _ condition: @escaping @Sendable (Counters) -> Bool, resume: @escaping @Sendable (Bool) -> Void
    ) -> Int? {
        core.update { $0.observers.add(condition, resume: resume) }
    }

    private static func giveUp(_ id: Int, _ core: ServerCore) {
        core.update { $0.observers.giveUp(id) }?(false)
    }
}
