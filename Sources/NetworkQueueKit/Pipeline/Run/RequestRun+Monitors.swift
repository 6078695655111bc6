/// What monitors are told. Callers look first whether there are any, since what they are told takes its time to make.
extension RequestRun {
    func tellMonitors(_ body: (any QueueMonitor, AttemptContext) -> Void) {
        if attempt.context == nil {
            attempt.context = context(sent: attempt.exchange)
        }
        attempt.context?.elapsed = elapsed
        attempt.context?.statusCode = attempt.statusCode
        guard let context = attempt.context else { return }
        for monitor in environment.defaults.monitors { body(monitor, context) }
    }

    func tellMonitorsOfEnd(with error: NetworkError?, metrics: RequestMetrics) {
        tellMonitors { $0.attemptDidEnd(with: error, metrics: metrics, in: $1) }
    }
}
