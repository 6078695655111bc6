extension NetworkQueue {
    /// The outcome of a run, from its start to the drain.
    public struct Summary: Sendable {
        /// An operation that failed. With `cancelsAllOnFailure`, the first failure is the one that canceled all other
        /// operations.
        public struct Failure: Sendable {
            /// The operation that failed.
            public let operation: RequestOperation
            /// The reason for the failure. Never a cancellation.
            public let error: NetworkError

            /// Creates a failure, for a preview or a test.
            public init(operation: RequestOperation, error: NetworkError) {
                self.operation = operation
                self.error = error
            }
        }

        /// The number of operations by outcome.
        public let counts: Progress.Counts
        /// The operations that failed, in the order of their failures, without those that were canceled. The errors of
        /// the first 100 include the content of the response.
        public let failures: [Failure]
        /// The first failure that was not a cancellation; `nil` if there was none. A failure because of an earlier
        /// stage, `.earlierStageFailed`, is a consequence, and is never the first.
        public var firstFailure: Failure? { failures.first { $0.error.code != .earlierStageFailed } }
        /// The time from `go()`, or from the first operation added after a drain, to the drain.
        public let duration: Duration
        /// The bytes of content that successful operations received over the wire in this run. Bytes that a resumed
        /// download kept from an earlier run are not included; ``QueueProgress/download`` includes them.
        public let bytesReceived: Int64
        /// The bytes of content that successful operations sent. What a server had before is not included;
        /// ``QueueProgress/upload`` includes it.
        public let bytesSent: Int64

        /// The disks that did not take all files to flush: files of this run may be lost in a power cut. Each error is a
        /// `.fileSystem` and names a folder on the disk; see ``RequestQueueing/durability``.
        public let flushFailures: [NetworkError]

        /// The number of failures that keep the content of their response.
        static let maximumPageCount = 100

        /// Creates a summary, for a preview or a test.
        public init(
            counts: Progress.Counts, failures: [Failure] = [], duration: Duration = .zero, bytesReceived: Int64 = 0,
            bytesSent: Int64 = 0, flushFailures: [NetworkError] = []
        ) {
            self.counts = counts
            self.failures = failures
            self.duration = duration
            self.bytesReceived = bytesReceived
            self.bytesSent = bytesSent
            self.flushFailures = flushFailures
        }

        /// Whether every operation finished, and the files are on the disk as far as ``RequestQueueing/durability`` asks
        /// for that.
        public var isSuccess: Bool { counts.finished == counts.total && flushFailures.isEmpty }
    }
}

extension NetworkQueue.Summary: CustomStringConvertible {
    /// The summary on one line, such as `399 finished, 1 failed, 0 cancelled in 12.3 s, 1000 bytes received, 0 bytes
    /// sent; first failure: #12 GET https://example.com/a, failed (timedOut), attempt 1`.
    public var description: String {
        let seconds = (duration.seconds * 10).rounded() / 10
        var line =
            "\(counts.finished) finished, \(counts.failed) failed, \(counts.cancelled) cancelled in \(seconds) s, "
            + "\(bytesReceived) bytes received, \(bytesSent) bytes sent"
        if let failure = firstFailure { line += "; first failure: \(failure.operation)" }
        if let failure = flushFailures.first { line += "; not flushed: \(failure)" }
        return line
    }
}
