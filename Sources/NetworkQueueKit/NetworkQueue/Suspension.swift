/// Whether a queue is suspended, as it was asked for last: through the queue, or through its `foundationProgress`.
///
/// Pure state. A change begins with what is asked for; then its thread makes the queue and the progress so, under no lock, as that may
/// call observers. Meanwhile others may begin and end changes: the thread that ends last makes both agree. So they agree whenever
/// no change is under way, and no thread waits for another.
struct Suspension {
    private(set) var isSuspended: Bool
    private var changesUnderWay = 0
    /// What the progress was last told to show, if nothing has been asked for since.
    private var shown: Bool?

    init(isSuspended: Bool) { self.isSuspended = isSuspended }

    /// Begins a change of what is asked for; without `isSuspended`, of what is shown only.
    mutating func beginChange(to isSuspended: Bool? = nil) {
        if let isSuspended { self.isSuspended = isSuspended }
        changesUnderWay += 1
        shown = nil
    }

    /// Ends a change, or returns what the progress has still to show before the change can be ended.
    ///
    /// - Parameter isPaused: whether the progress is paused; `nil` where there is none. One that does not do what it is told is not told
    ///   again. Not asked while another change is under way, which may be changing it: on Linux Foundation has no lock for it.
    mutating func endChange(isPaused: @autoclosure () -> Bool?) -> Bool? {
        if changesUnderWay == 1, let isPaused = isPaused(), isPaused != isSuspended, shown != isSuspended {
            shown = isSuspended
            return isSuspended
        }
        changesUnderWay -= 1
        return nil
    }

    /// Takes over what the progress shows if it was made so in a way that the queue is not told of. Returns whether it was.
    mutating func adopt(isPaused: @autoclosure () -> Bool) -> Bool {
        guard changesUnderWay == 0, isPaused() != isSuspended else { return false }
        isSuspended.toggle()
        return true
    }
}
