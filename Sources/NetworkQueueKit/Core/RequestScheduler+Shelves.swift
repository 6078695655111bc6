/// The rules that close shelves: those about hosts and those about stages.
///
/// The host of an element is determined only when a rule needs it. So the shelves without a host hold elements that
/// were added while there was no rule, and the shelves of the hosts hold those added under one. When a rule comes into
/// force, the former are appended to the lanes of their hosts: they are newer than all elements already there.
extension RequestScheduler {
    // MARK: Hosts

    /// The maximum number of running elements per host; `nil` and values below 1 mean no limit. After the limit is
    /// lowered, running elements continue.
    ///
    /// A change is O(shelves log shelves), and O(n) if it is the first rule about hosts.
    var maximumRunningPerHost: Int? {
        get { hosts.maximumRunning }
        set {
            guard newValue != hosts.maximumRunning else { return }
            let wasInForce = hosts.isRuleInForce
            hosts.maximumRunning = newValue
            if !wasInForce, hosts.isRuleInForce { fileAll() }
            closeShelvesByHost(waiting.all)
            offerAllLanes()
        }
    }

    /// Keeps the waiting elements of a host from starting until the host is released. Running elements continue.
    /// O(log shelves) for each shelf of the host, and O(n) if it is the first rule about hosts.
    mutating func holdHost(_ host: String) {
        let wasInForce = hosts.isRuleInForce
        guard let id = hosts.block(host) else { return }
        if !wasInForce {
            fileAll()
            closeShelvesByHost(waiting.all)
            offerAllLanes()
        }
        closeShelves(of: id)
    }

    /// Releases a host, if it is held. O(log shelves) for each shelf of the host.
    mutating func releaseHost(_ host: String) {
        if let id = hosts.unblock(host) { closeShelves(of: id) }
    }

    /// Closes or opens the shelves of a host whose rules have changed. O(log shelves) for each of them.
    mutating func closeShelves(of host: HostTable.ID) {
        let shelves = hosts.shelves(of: host)
        closeShelvesByHost(shelves)
        for shelf in shelves { offerLanes(of: shelf) }
    }

    private mutating func closeShelvesByHost(_ shelves: some Sequence<ShelfTable.ID>) {
        for shelf in shelves {
            _ = waiting.setClosed(shelf, for: .host, !hosts.mayStart(waiting.host(of: shelf)))
        }
    }

    // MARK: Stages

    /// The highest stage that may start while more transfers of lower stages may be added, even if there are none at
    /// present; `nil`, the default, means no such bound. A change is O(shelves log shelves).
    var stageBound: Int? {
        get { stages.bound }
        set { if newValue != stages.bound, stages.setBound(newValue) { closeShelvesByStage() } }
    }

    /// Closes and opens shelves after the stage that may start has changed.
    mutating func closeShelvesByStage() {
        for shelf in waiting.all
        where waiting.setClosed(shelf, for: .stage, !stages.mayStart(waiting.stage(of: shelf))) {
            offerLanes(of: shelf)
        }
    }

    // MARK: Filing

    /// Files an element that is in no lane on the shelf of its stage and, if a rule requires that, its host.
    mutating func file(_ index: UInt32, stage: Int) {
        // Without a rule, in its host's lane, it would precede older elements that are filed there later.
        let host = hosts.isRuleInForce ? hostOf(elements[index]) : nil
        if host == nil, stage == 0, places[Int(index)].shelf == .first { return }
        file(index, on: shelf(ShelfTable.Key(host: host, stage: stage)))
    }

    private mutating func file(_ index: UInt32, on shelf: ShelfTable.ID) {
        let former = places[Int(index)].shelf
        guard shelf != former else { return }
        waiting.enter(shelf)
        places[Int(index)].shelf = shelf
        leave(former)
    }

    private mutating func shelf(_ key: ShelfTable.Key) -> ShelfTable.ID {
        if key.host == nil, key.stage == 0 { return .first }
        if let id = waiting.id(for: key) { return id }
        let host = key.host.map { hosts.enter($0) } ?? .none
        var reasons: ShelfTable.Reason = []
        if !hosts.mayStart(host) { reasons.insert(.host) }
        if !stages.mayStart(key.stage) { reasons.insert(.stage) }
        let id = waiting.add(key, host: host, closedFor: reasons)
        hosts.add(id, to: host)
        return id
    }

    /// Removes an element from a shelf, and the shelf if it was the last one.
    mutating func leave(_ shelf: ShelfTable.ID) {
        guard waiting.leave(shelf) else { return }
        let host = waiting.host(of: shelf)
        waiting.remove(shelf, ShelfTable.Key(host: hosts.name(of: host), stage: waiting.stage(of: shelf)))
        hosts.remove(shelf, from: host)
        hosts.releaseRoom()
        guard waiting.hasRoomForMany else { return }
        waiting.releaseRoom()
        sized = SizedLanes()
        fillSizedLanes()
        offerLanes(of: .first)
    }

    /// Files all waiting and running elements by host. Parked elements are filed when they return.
    private mutating func fileAll() {
        var next = running.first.index
        while let index = next {
            next = elements.index(after: index)
            guard waiting.host(of: places[Int(index)].shelf) == .none else { continue }
            file(index, stage: waiting.stage(of: places[Int(index)].shelf))
            _ = hosts.start(waiting.host(of: places[Int(index)].shelf))
        }
        for shelf in waiting.all where waiting.host(of: shelf) == .none {
            // Keeps the shelf until all of its lanes have been filed.
            waiting.enter(shelf)
            for band in Band.all { fileLane(shelf, band) }
            leave(shelf)
        }
    }

    private mutating func fileLane(_ former: ShelfTable.ID, _ band: Band) {
        let stage = waiting.stage(of: former)
        var next = waiting[former, band].first.index
        while let index = next {
            next = elements.index(after: index)
            guard let host = hostOf(elements[index]) else { continue }
            unlink(index, from: former, band)
            // The shelf may be removed.
            if waiting[former, band].isEmpty { waiting.withdraw(former, band) }
            let shelf = shelf(ShelfTable.Key(host: host, stage: stage))
            file(index, on: shelf)
            link(index, to: shelf, band)
        }
    }

    // MARK: Sizing

    /// Returns a running element of kind `.sizing` that keeps a transfer from starting: a transfer slot is free, and a
    /// transfer waits only because of the limit of the element's host. Each element is returned once; the caller must
    /// end it.
    ///
    /// O(running shelves) while there are rules about hosts and such elements run, otherwise O(1).
    mutating func nextObstructingSizing() -> Element? {
        guard sizingCount > 0, hosts.isRuleInForce, !isSuspended,
            case let bands = startableBands.intersection(.transfer), bands.first != nil, waiting.first(in: bands) == nil
        else { return nil }
        var next = running.first.index
        while let index = next {
            next = elements.index(after: index)
            guard places[Int(index)].kind == .sizing, !places[Int(index)].isObstructing else { continue }
            let host = waiting.host(of: places[Int(index)].shelf)
            if host != .none, !hosts.isBlocked(host), hosts.shelves(of: host).contains(where: hasTransfer) {
                places[Int(index)].isObstructing = true
                return elements[index]
            }
        }
        return nil
    }

    /// Whether a transfer of a stage that may start waits on the shelf.
    private func hasTransfer(_ shelf: ShelfTable.ID) -> Bool {
        stages.mayStart(waiting.stage(of: shelf))
            && Band.all.contains { $0.kind == .transfer && !waiting[shelf, $0].isEmpty }
    }
}
