import Dashboard

@testable import netqueue

/// Keeps the lines that it is to log.
final class RecordingDisplay: ProgressDisplay {
    let tellsOfRetries: Bool
    private let logged = Locked<[String]>([])

    init(tellsOfRetries: Bool = false) { self.tellsOfRetries = tellsOfRetries }

    var lines: [String] { logged.withLock { $0 } }

    func begin(title: String, model: @escaping @Sendable () -> DashboardModel) {}

    func log(_ line: String) { logged.withLock { $0.append(line) } }

    func end(_ model: DashboardModel?) {}
}
