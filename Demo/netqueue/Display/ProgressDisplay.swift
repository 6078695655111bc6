import Dashboard

/// Shows the user how a job is going.
///
///     begin ─→ log* ─→ end
///
/// Every method may be called on any thread.
protocol ProgressDisplay: Sendable {
    /// Starts to show what `model` returns, from now on and again and again.
    func begin(fileCount: Int, model: @escaping @Sendable () -> DashboardModel)
    /// Tells something that has happened.
    func log(_ line: String)
    /// Tells something that a frame shows by itself: a line of its own where there are no frames.
    func note(_ line: String)
    /// Shows `model` for the last time; `nil` shows nothing.
    func end(_ model: DashboardModel?)
    /// Gives the terminal back, for the program is about to stop or to leave.
    func suspend()
    /// Takes the terminal again, or adapts to its new size.
    func redraw()
}

extension ProgressDisplay {
    func note(_ line: String) {}
    func suspend() {}
    func redraw() {}
}
