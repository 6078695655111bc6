import Dashboard

/// Prints failures only.
struct SilentDisplay: ProgressDisplay {
    var time = LogTime()

    func begin(title: String, model: @escaping @Sendable () -> DashboardModel) {}

    func log(_ line: String) {
        StandardStream.error.write(time.line(line) + "\n")
    }

    func end(_ model: DashboardModel?) {}
}
