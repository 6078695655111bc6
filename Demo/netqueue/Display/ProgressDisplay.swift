import Dashboard

/// Shows the user how a job is going.
///
///     begin ─→ log* ─→ end
///
/// Every method may be called on any thread.
protocol ProgressDisplay: Sendable {
    /// Starts to show what `model` returns, from now on and again and again; `title` is for where there are no frames.
    func begin(title: String, model: @escaping @Sendable () -> DashboardModel)
    /// Tells something that has happened.
    func log(_ line: String)
    /// Whether a retry gets a line of its own, as there are no frames to show it.
    var tellsOfRetries: Bool { get }
    /// Shows `model` for the last time; `nil` shows nothing.
    func end(_ model: DashboardModel?)
    /// Whether it keeps a frame on a terminal, so that the user may press keys.
    var isLive: Bool { get }
    /// Shows from now on what keys do, or no longer.
    func hint(_ text: String?)
    /// Gives the terminal back, for the program is about to stop or to leave.
    func suspend()
    /// Takes the terminal again, or adapts to its new size.
    func redraw()
}

extension ProgressDisplay {
    var tellsOfRetries: Bool { false }
    var isLive: Bool { false }
    func hint(_ text: String?) {}
    func suspend() {}
    func redraw() {}
}
