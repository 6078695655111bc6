/// Tracks the content that the receiver has not taken, and whether the task must wait for it.
struct SessionFlow: Sendable {
    /// High-water mark in bytes: hold the task above it.
    static let highWaterMark = 1 << 20
    /// Low-water mark in bytes: a held task continues at or below it.
    private static let lowWaterMark = 256 << 10

    /// Whether the receiver has paused the exchange.
    var isPaused = false
    /// Whether the task must wait.
    var isHeld: Bool { isPaused || isFull }
    private var isFull = false
    private var waitingCount = 0

    /// Notes content that has arrived for the receiver.
    mutating func receive(_ count: Int) {
        waitingCount += count
        if waitingCount > Self.highWaterMark { isFull = true }
    }

    /// Notes content that the receiver has taken.
    mutating func deliver(_ count: Int) {
        waitingCount -= count
        if waitingCount <= Self.lowWaterMark { isFull = false }
    }
}
