extension NetworkQueue {
    /// What came of a run, from the first operation to the drain.
    public struct Summary: Sendable {
        /// An operation that has failed. With `cancelsAllOnFailure`, the first is the one that all others were
        /// cancelled for.
        public struct Failure: Sendable {
            /// The operation that failed.
            public let operation: RequestOperation
            /// Why it failed. Never a cancellation.
            public let error: NetworkError

            /// Creates a failure by hand, for a preview or a test.
            public init(operation: RequestOperation, error: NetworkError) {
                self.operation = operation
                self.error = error
            }
        }

        /// How many operations ended how.
        public let counts: Progress.Counts
        /// The operations that have failed, in the order in which they did, without those that were cancelled. The
        /// errors of the first 100 have the content of the response.
        public let failures: [Failure]
        /// The first failure that was not a cancellation; `nil` when there was none.
        public var firstFailure: Failure? { failures.first }
        /// From `go()`, or the first operation that was added after a drain, to the drain.
        public let duration: Duration
        /// Bytes of content of the operations that finished, as they came over the wire in this run. What a download
        /// has resumed from an earlier run is not among them; ``NetworkQueue/Progress/download`` counts it as there.
        public let bytesReceived: Int64
        /// Bytes of content sent by the operations that finished.
        public let bytesSent: Int64

        /// How many failures keep the content of their responses.
        static let maximumPageCount = 100

        /// Creates a summary by hand, for a preview or a test.
        public init(
            counts: Progress.Counts, failures: [Failure] = [], duration: Duration = .zero, bytesReceived: Int64 = 0,
            bytesSent: Int64 = 0
        ) {
            self.counts = counts
            self.failures = failures
            self.duration = duration
            self.bytesReceived = bytesReceived
            self.bytesSent = bytesSent
        }

        /// Whether every operation finished.
        public var isSuccess: Bool { counts.finished == counts.total }
    }
}

/// One line for a log.
extension NetworkQueue.Summary: CustomStringConvertible {
    /// What came of the run, on one line, such as `399 finished, 1 failed, 0 cancelled in 12.3 s, 1000 bytes received,
    /// 0 bytes sent; first failure: #12 GET https://example.com/a, failed (timedOut), attempt 1`.
    public var description: String {
        let seconds = (duration.seconds * 10).rounded() / 10
        var line =
            "\(counts.finished) finished, \(counts.failed) failed, \(counts.cancelled) cancelled in \(seconds) s, "
            + "\(bytesReceived) bytes received, \(bytesSent) bytes sent"
        if let failure = firstFailure { line += "; first failure: \(failure.operation)" }
        return line
    }
}
