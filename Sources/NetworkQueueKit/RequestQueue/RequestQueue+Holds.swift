extension RequestQueue {
    /// Keeps the waiting requests to a host from starting for a time. The longest hold counts.
    func hold(_ host: String, for delay: Duration) {
        let environment = state.withLock { $0.environment }
        let end = environment.timekeeper.now + delay
        let timer = environment.timekeeper.schedule(after: delay) { [weak self] in self?.endHold(of: host, at: end) }
        let superseded = mutate { state -> (any ScheduledCall)? in
            let former = state.holds[host]
            if let former, former.end >= end { return timer }
            state.holds[host] = HostHold(end: end, timer: timer)
            state.scheduler.holdHost(host)
            return former?.timer
        }
        superseded?.cancel()
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
            return holds.values.map(\.timer)
        }
        for timer in timers { timer.cancel() }
    }

    /// Lets the next batch be asked again for credentials that this one did not get.
    func forgetRefusals() {
        state.withLock { $0.environment }.authenticator.forgetRefusals()
    }
}
