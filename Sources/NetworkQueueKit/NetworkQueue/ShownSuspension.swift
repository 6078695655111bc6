/// What a queue's `foundationProgress` shows of its suspension, so that what the queue shows there is told from what its user asks for.
///
/// Foundation calls the same handlers for both, late and not for each change: what counts is how its state differs from what was shown.
struct ShownSuspension {
    /// Whether the progress was paused when the queue has last looked at it or changed it.
    var isPaused = false
    /// Whether a thread is showing the state now; a difference has no meaning meanwhile.
    private var isBeingShown = false
    /// Whether the queue's state has changed since that thread has looked at it.
    private var isOutdated = false

    /// Returns whether the caller is to show the queue's state; if not, the thread that does will do it once more.
    mutating func beginShowing() -> Bool {
        isOutdated = isBeingShown
        guard !isBeingShown else { return false }
        isBeingShown = true
        return true
    }

    /// Returns whether it has to be shown once more.
    mutating func endShowing(_ isPaused: Bool) -> Bool {
        self.isPaused = isPaused
        isBeingShown = false
        return isOutdated
    }

    /// What the user has asked for: `nil` if the progress is as it was shown.
    mutating func userRequest(from isPaused: Bool) -> Bool? {
        guard !isBeingShown, self.isPaused != isPaused else { return nil }
        self.isPaused = isPaused
        return isPaused
    }
}
