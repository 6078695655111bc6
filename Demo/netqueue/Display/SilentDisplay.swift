import Dashboard

/// Prints failures only.
struct SilentDisplay: ProgressDisplay {
    func begin(title: String, model: @escaping @Sendable () -> DashboardModel) {}

    func log(_ line: String) {
        StandardStream.error.write(line + "\n")
    }

    func end(_ model: DashboardModel?) {}
}
