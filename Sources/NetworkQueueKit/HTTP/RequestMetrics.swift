/// What one run of a request took. Times are measured on a monotonic clock.
///
/// A request that is cancelled while it waits for a retry has begun another attempt, of which there is nothing to tell.
public struct RequestMetrics: Sendable, Hashable {
    /// From the start of the operation to its end.
    public var duration: Duration
    /// From the start of the operation to the head of the last attempt's response, accepted or not; `nil` when that attempt
    /// got none.
    public var timeToFirstByte: Duration?
    /// Bytes of content received in the last attempt, as they came over the wire; what it continued is not among them.
    public var bytesReceived: Int64
    /// Bytes of content sent in the last attempt.
    public var bytesSent: Int64
    /// How many redirects the last attempt followed.
    public var redirectCount: Int

    /// Creates metrics by hand, for a preview or a test.
    public init(
        duration: Duration = .zero, timeToFirstByte: Duration? = nil, bytesReceived: Int64 = 0, bytesSent: Int64 = 0,
        redirectCount: Int = 0
    ) {
        self.duration = duration
        self.timeToFirstByte = timeToFirstByte
        self.bytesReceived = bytesReceived
        self.bytesSent = bytesSent
        self.redirectCount = redirectCount
    }
}
