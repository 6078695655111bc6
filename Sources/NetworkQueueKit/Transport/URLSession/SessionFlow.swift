/// What a transfer's receiver has not taken yet, and whether the task has to wait for it.
struct SessionFlow: Sendable {
    /// The most content in bytes that waits for a receiver before the task is held.
    static let highWaterMark = 1 << 20
    /// The task goes on when no more than this waits.
    private static let lowWaterMark = 256 << 10

    /// Whether the receiver wants nothing more for now.
    var isPaused = false
    /// Whether the task has to wait.
    var isHeld: Bool { isPaused || isFull }
    private var isFull = false
    private var waitingCount = 0

    /// Notes content that waits for the receiver.
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
