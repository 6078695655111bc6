/// How many exchanges may start in a time, as servers with quotas ask for: `RequestRate(60, per: .seconds(60))`.
///
/// At most ``count`` exchanges start in any span of this length, whenever it begins. The first ones start at once, and
/// each later one as soon as the span before it allows that. An exchange is one request on the wire: size requests,
/// retries, redirects, repeated requests with credentials and the parts of a split download count.
public struct RequestRate: Sendable, Hashable {
    /// The maximum number of exchanges that start in any span; 0 means no limit.
    public let count: Int
    /// The length of the span; zero means no limit.
    public let span: Duration

    /// Creates a rate. With a count or a span that is zero or negative, there is no limit.
    public init(_ count: Int, per span: Duration) {
        self.count = max(count, 0)
        self.span = max(span.bounded, .zero)
    }

    /// The rate, unless it is no limit.
    var limit: RequestRate? { count > 0 && span > .zero ? self : nil }

    /// The time in which so many exchanges start at this rate.
    func time(for exchangeCount: Int) -> Duration {
        .bounded(seconds: Double(exchangeCount) / Double(count) * span.seconds)
    }
}

/// The exchanges that have started within the latest span of a rate, and those that may start at any moment.
struct RateWindow: Sendable {
    /// The times of the starts, the earliest first. Those before `oldest` have left the span.
    private var starts: ContiguousArray<Duration> = []
    private var oldest = 0
    /// The number of exchanges that have a slot and may start at any moment.
    private(set) var reservedCount = 0

    private var startedCount: Int { starts.count - oldest }

    /// Whether the window has no effect on later starts.
    var isEmpty: Bool { startedCount == 0 && reservedCount == 0 }

    mutating func reserve() { reservedCount += 1 }

    mutating func release() { reservedCount -= 1 }

    mutating func noteStart(at now: Duration) { starts.append(max(now, starts.last ?? now)) }

    /// Forgets the starts that have left the span. Amortized O(1).
    mutating func forget(_ span: Duration, before now: Duration) {
        while oldest < starts.count, starts[oldest] + span <= now { oldest += 1 }
        guard oldest > 32, oldest > startedCount else { return }
        starts.removeFirst(oldest)
        oldest = 0
    }

    /// Whether another exchange may start.
    func mayStart(_ rate: RequestRate) -> Bool {
        // Subtracted, because the sum of two numbers could overflow.
        startedCount < rate.count - reservedCount
    }

    /// When the next exchange may start; `nil` if that depends on those that have a slot.
    func opening(_ rate: RequestRate) -> Duration? {
        let index = oldest + max(startedCount + reservedCount - rate.count, 0)
        return index < starts.count ? starts[index] + rate.span : nil
    }
}
