extension RequestQueue: CustomStringConvertible {
    /// How busy the queue is, on one line: `RequestQueue: 2 of 2 running, 17 waiting, suspended`.
    ///
    /// Requests that wait for a retry count as waiting.
    public var description: String {
        let (running, waiting, limit, isSuspended) = loop.access { state in
            let scheduler = state.core.scheduler
            return (
                scheduler.runningCount, scheduler.count - scheduler.runningCount, scheduler.maximumRunning,
                scheduler.isSuspended
            )
        }
        return "RequestQueue: " + Self.loadLine(running: running, waiting: waiting, limit: limit)
            + (isSuspended ? ", suspended" : "")
    }

    /// Such as `2 of 4 running, 17 waiting`.
    static func loadLine(running: Int, waiting: Int, limit: Int) -> String {
        (limit > 0 ? "\(running) of \(limit) running" : "\(running) running (no limit)") + ", \(waiting) waiting"
    }
}

/// Texts without what users' code keeps for itself: adapters have tokens, and a cookie storage has cookies.
extension RequestQueue: CustomReflectable {
    /// What `dump` shows: the requests, and the settings by which they run.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "requests": requests, "isSuspended": isSuspended,
                "maxConcurrentRequestCount": self.maxConcurrentRequestCount, "mode": self.mode,
            ], displayStyle: .class)
    }
}
