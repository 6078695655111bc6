/// What monitors are told. Callers look first whether there are any, since what they are told takes its time to make.
extension RequestRun {
    func tellMonitors(_ body: (any QueueMonitor, AttemptContext) -> Void) {
        let context = context(sent: cells.owned.attempt.exchange)
        for monitor in environment.defaults.monitors { body(monitor, context) }
    }

    func tellMonitorsOfEnd(with error: NetworkError?) {
        let metrics = metrics
        tellMonitors { $0.attemptDidEnd(with: error, metrics: metrics, in: $1) }
    }
}
