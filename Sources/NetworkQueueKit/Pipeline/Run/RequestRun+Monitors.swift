/// What monitors are told. Callers look first whether there are any, since what they are told takes its time to make.
extension RequestRun {
    func tellMonitors(_ body: (any QueueMonitor, AttemptContext) -> Void) {
        if cells.owned.attempt.context == nil {
            cells.owned.attempt.context = context(sent: cells.owned.attempt.exchange)
        }
        cells.owned.attempt.context?.elapsed = elapsed
        guard let context = cells.owned.attempt.context else { return }
        for monitor in environment.defaults.monitors { body(monitor, context) }
    }

    func tellMonitorsOfEnd(with error: NetworkError?, metrics: RequestMetrics) {
        tellMonitors { $0.attemptDidEnd(with: error, metrics: metrics, in: $1) }
    }
}
