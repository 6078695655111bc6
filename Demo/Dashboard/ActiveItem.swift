/// A transfer in progress.
public struct ActiveItem: Sendable, Hashable {
    /// The displayed name, such as the file's name.
    public var name: String
    /// The number of bytes transferred.
    public var transferred: Int64
    /// The expected number of bytes; `nil` if unknown.
    public var expected: Int64?
    /// The current speed; `nil` if unknown.
    public var bytesPerSecond: Double?
    /// Whether the speed has been measured long enough to predict the time remaining.
    public var isSteady: Bool
    /// The reason for a delay, shown in place of the bytes; `nil` if there is none.
    public var remark: String?

    /// The time until the transfer continues; `nil` if it is not waiting.
    public var wait: Duration?

    /// Creates an item.
    public init(
        name: String, transferred: Int64 = 0, expected: Int64? = nil, bytesPerSecond: Double? = nil,
        isSteady: Bool = true, remark: String? = nil, wait: Duration? = nil
    ) {
        self.name = name
        self.transferred = transferred
        self.expected = expected
        self.bytesPerSecond = bytesPerSecond
        self.isSteady = isSteady
        self.remark = remark
        self.wait = wait
    }

    /// A lower bound for the time remaining, from the speed or the wait; `nil` if unknown.
    var timeRemaining: Duration? {
        if let wait { return wait }
        guard isSteady, let expected, let bytesPerSecond, bytesPerSecond.isFinite, bytesPerSecond > 0, remark == nil
        else { return nil }
        // Cap the result: a speed near zero would give an absurd time.
        return .seconds(min(max(0, Double(expected) - Double(transferred)) / bytesPerSecond, Self.longestTime))
    }

    private static let longestTime = 100.0 * 86_400

    /// The completed fraction, kept below 1 because a shown item has not ended; `nil` if unknown.
    var fraction: Double? {
        guard let expected, expected > 0 else { return nil }
        return min(max(0, Double(transferred) / Double(expected)), 0.999)
    }
}
