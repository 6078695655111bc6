extension RequestOperation {
    /// What one run of a request took. Times are measured on a monotonic clock.
    public struct Metrics: Sendable, Hashable {
        /// From the start of the operation to its end.
        public var duration: Duration
        /// From the start of the operation to the head of the final response; `nil` when none came.
        public var timeToFirstByte: Duration?
        /// Bytes of content received in the last attempt, as they came over the wire; what it continued is not among them.
        public var bytesReceived: Int64
        /// Bytes of content sent for the final result.
        public var bytesSent: Int64
        /// How many redirects were followed.
        public var redirectCount: Int
    }
}
