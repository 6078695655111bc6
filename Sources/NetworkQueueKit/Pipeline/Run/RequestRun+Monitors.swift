/// Reports to monitors. Callers check `hasMonitors` first, because the arguments are expensive to create.
extension RequestRun {
    func tellMonitors(_ body: (any QueueMonitor, AttemptContext) -> Void) {
        var context = attempt.context ?? context(sent: attempt.exchange.map { hidden($0) })
        context.elapsed = elapsed
        context.statusCode = attempt.statusCode
        attempt.context = context
        for monitor in environment.defaults.monitors { body(monitor, context) }
    }

    func tellMonitorsOfEnd(with error: NetworkError?, metrics: RequestMetrics) {
        tellMonitors { $0.attemptDidEnd(with: error, metrics: metrics, in: $1) }
    }

    /// Reports that the attempt has failed and another follows. Does nothing without monitors.
    func tellMonitorsOfRetry(after delay: Duration, because error: NetworkError) {
        guard environment.hasMonitors else { return }
        tellMonitorsOfEnd(with: error, metrics: metrics)
        tellMonitors { $0.attemptWillRetry(after: delay, because: error, in: $1) }
    }

    /// The context for a hook.
    func context(sent exchange: HTTPExchange?) -> AttemptContext {
        AttemptContext(
            operationID: id, request: { [self] in request.withVisibleProbe }, mirror: mirror, sent: exchange,
            attempt: attemptCount, elapsed: elapsed, statusCode: attempt.statusCode)
    }
}
