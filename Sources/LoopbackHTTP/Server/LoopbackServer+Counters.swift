extension LoopbackServer {
    /// A consistent snapshot of a server's counts.
    public struct Counters: Sendable, Hashable {
        /// The number of requests whose heads have arrived.
        public var requests: Int
        /// The number of requests whose head or body was not valid HTTP/1.1; they are answered with 400 or 431.
        public var malformedRequests: Int
        /// The number of connections accepted in total.
        public var connections: Int
        /// The number of open connections. One that the server closes stops counting just before its last bytes are
        /// sent.
        public var openConnections: Int
        /// The number of connections that count as closed although the server has yet to send their FIN.
        public var closingConnections: Int
        /// The greatest number of connections that were open at the same time.
        public var peakOpenConnections: Int
        /// The number of requests being answered: from the end of the head until just before the last byte is sent.
        public var concurrentRequests: Int
        /// The greatest number of requests that were being answered at the same time.
        public var peakConcurrentRequests: Int
    }

    /// The current counts, consistent with each other.
    public var counters: Counters {
        core.update { $0.counters }
    }

    /// Suspends until the counts satisfy a condition, such as `{ $0.openConnections == 0 }`; returns immediately if
    /// they already do.
    ///
    /// - Parameters:
    ///   - timeout: The longest time to wait; 5 minutes by default.
    ///   - condition: Called under the server's lock, so it must not use the server.
    /// - Returns: False if the timeout expired or the task was canceled first.
    @discardableResult
    public func wait(
        timeout: Duration = .seconds(300), until condition: @escaping @Sendable (Counters) -> Bool
    ) async -> Bool {
        await Waiting.suspend(
            timeout: timeout,
            register: { self.register(condition, resume: $0) },
            // Weak: the timer outlives the wait and must not keep the server's descriptors open.
            giveUp: { [weak core] id in core.map { LoopbackServer.giveUp(id, $0) } })
    }

    /// Blocks the calling thread until the counts satisfy a condition; returns immediately if they already do.
    ///
    /// - Parameters:
    ///   - timeout: The longest time to wait; 5 minutes by default.
    ///   - condition: Called under the server's lock, so it must not use the server.
    /// - Returns: False if the timeout expired first.
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

    /// Registers an observer. If its condition already holds, the observer is resumed before this returns.
    private func register(
        _ condition: @escaping @Sendable (Counters) -> Bool, resume: @escaping @Sendable (Bool) -> Void
    ) -> Int? {
        core.update { $0.observers.add(condition, resume: resume) }
    }

    private static func giveUp(_ id: Int, _ core: ServerCore) {
        core.update { $0.observers.giveUp(id) }?(false)
    }
}
