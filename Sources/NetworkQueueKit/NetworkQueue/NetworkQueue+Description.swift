extension NetworkQueue: CustomStringConvertible {
    /// How far the queue is, on one line: `NetworkQueue: 4 of 4 running, 17 waiting, 37 %`, and then `suspended` or `not started` where
    /// that is so.
    ///
    /// Requests that wait for a retry count as waiting.
    public var description: String {
        let (progress, isStarted) = loop.access { ($0.ledger.snapshot(now: timekeeper.now), $0.isStarted) }
        let counts = progress.counts
        var line =
            "NetworkQueue: "
            + RequestQueue.loadLine(
                running: counts.running, waiting: counts.waiting + counts.retrying,
                limit: self.maxConcurrentRequestCount)
        // Rounded down: 100 % is told at the end alone.
        line += ", \(Int(progress.fractionCompleted * 100)) %"
        if case .sizing(let completed, let total) = progress.phase { line += ", \(completed) of \(total) sizes known" }
        if isSuspended { line += ", suspended" }
        if !isStarted { line += ", not started" }
        return line
    }
}

/// A text without what users' code keeps for itself.
extension NetworkQueue: CustomReflectable {
    /// What `dump` shows: the requests, and the settings by which they run.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "requests": requests, "isSuspended": isSuspended,
                "maxConcurrentRequestCount": self.maxConcurrentRequestCount, "mode": self.mode,
                "batchSettings": loop.access { $0.settings },
            ], displayStyle: .class)
    }
}
