import Foundation

/// The `foundationProgress` of a queue.
///
/// It tells the queue when it is asked to pause or to resume. Foundation's handlers are not enough for that: they are called late, not
/// for each change, and for what the queue shows as well.
final class FoundationProgress: Foundation.Progress, @unchecked Sendable {  // as its superclass is
    /// Fine enough for any bar. Bytes would not do: their expected total may move, and the fraction must not go back.
    private static let unitsOfAll: Int64 = 1_000_000

    private let setSuspended: @Sendable (FoundationProgress, Bool) -> Void

    /// - Parameter setSuspended: called when it is to be paused or resumed. It calls `setPaused(_:)`.
    init(setSuspended: @escaping @Sendable (FoundationProgress, Bool) -> Void) {
        self.setSuspended = setSuspended
        super.init(parent: nil, userInfo: nil)
        totalUnitCount = Self.unitsOfAll
        isCancellable = true
        isPausable = true
    }

    override func pause() { setSuspended(self, true) }

    override func resume() { setSuspended(self, false) }

    /// Is paused or resumed, and tells its observers, not its queue.
    func setPaused(_ isPaused: Bool) {
        if isPaused { super.pause() } else { super.resume() }
    }

    func show(_ progress: QueueProgress) {
        completedUnitCount = Int64(progress.fractionCompleted * Double(totalUnitCount))
    }
}
