extension RequestQueue {
    /// Keeps the waiting requests to a host from starting for a time. The longest time counts.
    func block(_ host: String, for delay: Duration) {
        let end = timekeeper.now + delay
        let (isLongest, former) = mutate { state -> (Bool, (any ScheduledCall)?) in
            let former = state.blocks[host]
            if let former, former.end >= end { return (false, nil) }
            state.blocks[host] = HostBlock(end: end)
            state.scheduler.blockHost(host)
            return (true, former?.timer)
        }
        former?.cancel()
        guard isLongest else { return }
        // Only now: a timer that fires at once must find what it ends.
        let timer = timekeeper.schedule(at: end) { [weak self] in self?.endBlock(of: host, at: end) }
        let isOver = state.withLock { state in
            guard state.blocks[host]?.end == end else { return true }
            state.blocks[host]?.timer = timer
            return false
        }
        if isOver { timer.cancel() }
    }

    private func endBlock(of host: String, at end: Duration) {
        mutate { state in
            guard state.blocks[host]?.end == end else { return }
            state.blocks[host] = nil
            state.scheduler.unblockHost(host)
        }
    }

    /// Starts over as if nothing had been learnt about servers.
    func forgetServers() {
        let timers = mutate { state in
            let blocks = state.blocks
            for host in blocks.keys { state.scheduler.unblockHost(host) }
            state.blocks = [:]
            state.environment = state.environment.forgettingServers()
            return blocks.values.compactMap(\.timer)
        }
        for timer in timers { timer.cancel() }
    }

    /// Lets the next batch be asked again for credentials that this one did not get.
    func forgetRefusals() {
        state.withLock { $0.environment }.authenticator.forgetRefusals()
    }
}

/// A host whose waiting requests are blocked for a time.
struct HostBlock {
    /// On the queue's clock.
    let end: Duration
    var timer: (any ScheduledCall)?
}
