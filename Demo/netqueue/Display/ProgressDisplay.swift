import Dashboard

/// Shows the progress of a job.
///
///     begin ─→ log* ─→ end
///
/// All methods may be called on any thread.
protocol ProgressDisplay: Sendable {
    /// Starts showing the current result of `model` periodically. `title` is for displays without frames.
    func begin(title: String, model: @escaping @Sendable () -> DashboardModel)
    /// Prints a line about an event.
    func log(_ line: String)
    /// Whether each retry gets a line, because there are no frames that would show it.
    var tellsOfRetries: Bool { get }
    /// Shows `model` for the last time; shows nothing for `nil`.
    func end(_ model: DashboardModel?)
    /// Whether the display keeps a frame on a terminal, where the user may press keys.
    var isLive: Bool { get }
    /// Sets the key hints to show from now on, the most important first.
    func hint(_ texts: [String])
    /// Releases the terminal, because the program is about to be stopped or to exit.
    func suspend()
    /// Takes over the terminal again, or adapts to its new size.
    func redraw()
}

extension ProgressDisplay {
    var tellsOfRetries: Bool { false }
    var isLive: Bool { false }
    func hint(_ texts: [String]) {}
    func suspend() {}
    func redraw() {}
}
