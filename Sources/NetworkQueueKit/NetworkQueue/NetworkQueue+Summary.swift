extension NetworkQueue {
    /// What came of a run, from the first operation to the drain.
    public struct Summary: Sendable {
        /// The failure that came first; with `cancelsAllOnFailure`, the one that all others were cancelled for.
        public struct Failure: Sendable {
            /// The operation that failed.
            public let operation: RequestOperation
            /// Why it failed. Never a cancellation.
            public let error: NetworkError
        }

        /// How many operations ended how.
        public let counts: Progress.Counts
        /// The first failure that was not a cancellation; `nil` when there was none.
        public let firstFailure: Failure?
        /// From `go()`, or the first operation that was added after a drain, to the drain.
        public let duration: Duration
        /// Bytes of content received by the operations that finished.
        public let bytesReceived: Int64
        /// Bytes of content sent by the operations that finished.
        public let bytesSent: Int64

        /// Whether every operation finished.
        public var isSuccess: Bool { counts.finished == counts.total }
    }
}
