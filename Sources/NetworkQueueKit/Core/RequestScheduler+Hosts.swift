/// Rules that depend on the host.
///
/// The host of an element is determined only when a rule needs it. So the lanes of `HostTable.ID.none` hold elements
/// that were added while there was no rule, and the lanes of the hosts hold those added under one. When a rule comes
/// into force, the former are appended to the lanes of their hosts: they are newer than all elements already there.
extension RequestScheduler {
    /// The maximum number of running elements per host; `nil` and values below 1 mean no limit. After the limit is
    /// lowered, running elements continue.
    ///
    /// A change is O(hosts log hosts), and O(n) if it is the first rule about hosts.
    var maximumRunningPerHost: Int? {
        get { hosts.maximumRunning }
        set {
            guard newValue != hosts.maximumRunning else { return }
            let wasInForce = hosts.isRuleInForce
            hosts.maximumRunning = newValue
            if !wasInForce, hosts.isRuleInForce { fileAll() }
            offerAllLanes()
        }
    }

    /// Keeps the waiting elements of a host from starting until the host is released. Running elements continue.
    /// O(log hosts), and O(n) if it is the first rule about hosts.
    mutating func holdHost(_ host: String) {
        let wasInForce = hosts.isRuleInForce
        guard let id = hosts.block(host) else { return }
        waiting.makeRoom(for: id)
        if wasInForce {
            offerLanes(of: id)
        } else {
            fileAll()
            offerAllLanes()
        }
    }

    /// Releases a host, if it is held. O(log hosts)
    mutating func releaseHost(_ host: String) {
        guard let id = hosts.unblock(host) else { return }
        offerLanes(of: id)
    }

    /// Returns a running element of stage `.sizing` that keeps a transfer from starting: a transfer slot is free, and a
    /// transfer waits only because of the limit of the element's host. Each element is returned once; the caller must
    /// end it.
    ///
    /// O(running hosts) while there are rules about hosts and such elements run, otherwise O(1).
    mutating func nextObstructingSizing() -> Element? {
        guard sizingCount > 0, hosts.isRuleInForce, !isSuspended,
            case let bands = startableBands.intersection(.transfer), bands.first != nil, waiting.first(in: bands) == nil
        else { return nil }
        var next = running.first.index
        while let index = next {
            next = elements.index(after: index)
            let host = places[Int(index)].host
            if places[Int(index)].stage == .sizing, !places[Int(index)].isObstructing, host != .none,
                !hosts.isBlocked(host),
                Band.all.contains(where: { $0.stage == .transfer && !waiting[host, $0].isEmpty })
            {
                places[Int(index)].isObstructing = true
                return elements[index]
            }
        }
        return nil
    }

    /// Files an element that is in no lane under its host, if a rule requires that.
    mutating func file(_ index: UInt32) {
        if hosts.isRuleInForce {
            if places[Int(index)].host == .none { assignHost(index) }
        } else if places[Int(index)].host != .none {
            // In its host's lane, it would precede older elements that are filed there later.
            hosts.leave(places[Int(index)].host)
            places[Int(index)].host = .none
        }
    }

    /// Files all waiting and running elements by host. Parked elements are filed when they return.
    private mutating func fileAll() {
        var next = running.first.index
        while let index = next {
            next = elements.index(after: index)
            if places[Int(index)].host == .none {
                assignHost(index)
                _ = hosts.start(places[Int(index)].host)
            }
        }
        for band in Band.all {
            var next = waiting[.none, band].first.index
            while let index = next {
                next = elements.index(after: index)
                assignHost(index)
                guard places[Int(index)].host != .none else { continue }
                elements.unlink(index, from: &waiting[.none, band])
                elements.append(index, to: &waiting[places[Int(index)].host, band])
            }
        }
    }

    private mutating func assignHost(_ index: UInt32) {
        guard let name = hostOf(elements[index]) else { return }
        let host = hosts.enter(name)
        waiting.makeRoom(for: host)
        places[Int(index)].host = host
    }
}
