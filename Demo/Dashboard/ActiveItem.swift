/// A transfer that is under way.
public struct ActiveItem: Sendable, Hashable {
    /// What to call it, such as its file's name.
    public var name: String
    /// The bytes that are there.
    public var transferred: Int64
    /// The bytes there will be; `nil` when this is not known.
    public var expected: Int64?
    /// How fast it is at the moment; `nil` when this is not known.
    public var bytesPerSecond: Double?
    /// What holds it up, in place of the bytes; `nil` when nothing does.
    public var remark: String?

    /// How long it waits before it goes on; `nil` when it does not.
    public var wait: Duration?

    /// Creates an item.
    public init(
        name: String, transferred: Int64 = 0, expected: Int64? = nil, bytesPerSecond: Double? = nil,
        remark: String? = nil, wait: Duration? = nil
    ) {
        self.name = name
        self.transferred = transferred
        self.expected = expected
        self.bytesPerSecond = bytesPerSecond
        self.remark = remark
        self.wait = wait
    }

    /// How long it takes at least: at its speed, or until it goes on; `nil` when this is not known.
    var timeRemaining: Duration? {
        if let wait { return wait }
        guard let expected, let bytesPerSecond, bytesPerSecond.isFinite, bytesPerSecond > 0, remark == nil else {
            return nil
        }
        // A speed near nothing promises nothing.
        return .seconds(min(Double(max(0, expected - transferred)) / bytesPerSecond, Self.longestTime))
    }

    private static let longestTime = 100.0 * 86_400

    /// The part that is done; `nil` when it is not known. An item that is shown still lacks something, if only its end.
    var fraction: Double? {
        guard let expected, expected > 0 else { return nil }
        return min(max(0, Double(transferred) / Double(expected)), 0.999)
    }
}
