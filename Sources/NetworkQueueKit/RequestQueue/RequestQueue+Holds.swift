extension RequestQueue {
    /// Keeps the waiting requests to a host from starting for a time. The longest hold counts.
    func hold(_ host: String, for delay: Duration) {
        let timekeeper = state.withLock { $0.environment }.timekeeper
        let end = timekeeper.now + delay
        let (isLongest, former) = mutate { state -> (Bool, (any ScheduledCall)?) in
            let former = state.holds[host]
            if let former, former.end >= end { return (false, nil) }
            state.holds[host] = HostHold(end: end)
            state.scheduler.holdHost(host)
            return (true, former?.timer)
        }
        former?.cancel()
        guard isLongest else { return }
        // Only now: a timer that fires at once must find what it ends.
        let timer = timekeeper.schedule(at: end) { [weak self] in self?.endHold(of: host, at: end) }
        let isOver = state.withLock { state in
            guard state.holds[host]?.end == end else { return true }
            state.holds[host]?.timer = timer
            return false
        }
        if isOver { timer.cancel() }
    }

    private func endHold(of host: String, at end: Duration) {
        mutate { state in
            guard state.holds[host]?.end == end else { return }
            state.holds[host] = nil
            state.scheduler.releaseHost(host)
        }
    }

    /// Starts over as if nothing had been learnt about servers.
    func forgetServers() {
        let timers = mutate { state in
            let holds = state.holds
            for host in holds.keys { state.scheduler.releaseHost(host) }
            state.holds = [:]
            state.environment = state.environment.forgettingCredentials()
            return holds.values.compactMap(\.timer)
        }
        for timer in timers { timer.cancel() }
    }

    /// Lets the next batch be asked again for credentials that this one did not get.
    func forgetRefusals() {
        state.withLock { $0.environment }.authenticator.forgetRefusals()
    }
}
