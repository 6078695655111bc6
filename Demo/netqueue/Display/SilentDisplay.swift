import Dashboard

/// Prints failures only, or nothing.
struct SilentDisplay: ProgressDisplay {
    var time = LogTime()
    var isMute = false

    func begin(title: String, model: @escaping @Sendable () -> DashboardModel) {}

    func log(_ line: String) {
        if !isMute { StandardStream.error.write(time.line(line) + "\n") }
    }

    func end(_ model: DashboardModel?) {}
}
