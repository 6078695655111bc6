/// What monitors are told. Callers look first whether there are any, since what they are told takes its time to make.
extension RequestRun {
    func tellMonitors(_ body: (any QueueMonitor, AttemptContext) -> Void) {
        var context = attempt.context ?? context(sent: attempt.exchange)
        context.elapsed = elapsed
        context.statusCode = attempt.statusCode
        attempt.context = context
        for monitor in environment.defaults.monitors { body(monitor, context) }
    }

    func tellMonitorsOfEnd(with error: NetworkError?, metrics: RequestMetrics) {
        tellMonitors { $0.attemptDidEnd(with: error, metrics: metrics, in: $1) }
    }
}
