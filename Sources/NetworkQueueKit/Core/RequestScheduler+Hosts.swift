/// Rules about hosts.
///
/// The host of an element is unknown until a rule needs it. Therefore the lanes of `HostTable.ID.none` hold what was
/// added under no rule, and the lanes of the hosts what was added under one. When a rule comes into force, the former
/// are sorted into the latter: at their ends, for they are newer than all that stand there.
extension RequestScheduler {
    /// How many elements of one host may run; `nil` and values below 1 mean no limit. Those running beyond a lowered
    /// limit go on. A change is O(hosts log hosts), and O(n) when it brings the first rule about hosts into force.
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

    /// Lets no waiting element of a host start, until the host is unblocked. Those running go on.
    /// O(log hosts), and O(n) when this is the first rule about hosts.
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

    /// Lets a host start again; does nothing when it is not blocked. O(log hosts)
    mutating func releaseHost(_ host: String) {
        guard let id = hosts.unblock(host) else { return }
        offerLanes(of: id)
    }

    /// An element of stage `.sizing` that keeps a transfer from starting: a transfer could start, one waits for the
    /// same host, and that has no other reason than the limit of the host. Each is returned once, as it is up to the
    /// caller to end it.
    ///
    /// O(running hosts) while there are rules about hosts and elements of that stage run, else O(1).
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

    /// Decides on the host under which an element that stands in no lane is filed.
    mutating func file(_ index: UInt32) {
        if hosts.isRuleInForce {
            if places[Int(index)].host == .none { assignHost(index) }
        } else if places[Int(index)].host != .none {
            // In the lane of its host it would be newer than elements that have yet to be sorted in.
            hosts.leave(places[Int(index)].host)
            places[Int(index)].host = .none
        }
    }

    /// Files everything that waits or runs by host. Parked elements are filed when they return.
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
