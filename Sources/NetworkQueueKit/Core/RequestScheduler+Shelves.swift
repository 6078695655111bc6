/// The rules that close shelves: those about hosts, groups and stages.
///
/// The host or group of an element is determined only when a rule needs it. So the shelves without a host hold elements
/// that were added while there was no rule about hosts, and the shelves of the hosts hold those added under one. When a
/// rule comes into force, the former are appended to the lanes of their hosts: they are newer than all elements already
/// there. Groups are alike.
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
            closeShelves(waiting.all)
        }
    }

    /// Keeps the waiting elements of a host from starting until the host is released. Running elements continue.
    /// O(log shelves) for each shelf of the host, and O(n) if it is the first rule about hosts.
    mutating func holdHost(_ host: String) {
        let wasInForce = hosts.isRuleInForce
        guard let id = hosts.block(host) else { return }
        if !wasInForce { fileAll() }
        closeShelves(wasInForce ? Array(hosts.shelves(of: id)) : waiting.all)
    }

    /// Releases a host, if it is held. O(log shelves) for each shelf of the host.
    mutating func releaseHost(_ host: String) {
        if let id = hosts.unblock(host) { closeShelves(hosts.shelves(of: id)) }
    }

    /// Closes or opens the shelves of a host or a group whose rules have changed. O(log shelves) for each of them.
    mutating func closeShelves(_ shelves: some Sequence<ShelfTable.ID>) {
        for shelf in shelves {
            _ = waiting.setClosed(shelf, for: .host, !hosts.mayStart(waiting.host(of: shelf)))
            _ = waiting.setClosed(shelf, for: .group, !groups.mayStart(waiting.group(of: shelf)))
            offerLanes(of: shelf)
        }
    }

    // MARK: Groups

    /// Sets the maximum number of running elements of a group; `nil` and values below 1 mean no limit. Running elements
    /// continue. O(log shelves) for each shelf of the group, and O(n log n) if it is the first rule about groups.
    mutating func setMaximumRunning(_ maximum: Int?, ofGroup group: UInt32) {
        let wasInForce = groups.isRuleInForce
        let id = groups.setMaximumRunning(maximum, of: group)
        if !wasInForce, groups.isRuleInForce {
            fileAll()
            closeShelves(waiting.all)
        } else if let id {
            closeShelves(groups.shelves(of: id))
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

    /// Files an element that is in no lane on the shelf of its stage and, if rules require that, its host and group.
    mutating func file(_ index: UInt32, stage: Int) {
        // Without a rule, in its host's lane, it would precede older elements that are filed there later.
        let host = hosts.isRuleInForce ? hostOf(elements[index]) : nil
        let group = groups.isRuleInForce ? groupOf(elements[index]) : 0
        if host == nil, group == 0, stage == 0, places[Int(index)].shelf == .first { return }
        file(index, on: shelf(ShelfTable.Key(host: host, group: group, stage: stage)))
    }

    private mutating func file(_ index: UInt32, on shelf: ShelfTable.ID) {
        let former = places[Int(index)].shelf
        guard shelf != former else { return }
        waiting.enter(shelf)
        places[Int(index)].shelf = shelf
        leave(former)
    }

    private mutating func shelf(_ key: ShelfTable.Key) -> ShelfTable.ID {
        if key.host == nil, key.group == 0, key.stage == 0 { return .first }
        if let id = waiting.id(for: key) { return id }
        let host = key.host.map { hosts.enter($0) } ?? .none
        let group = key.group == 0 ? .none : groups.enter(key.group)
        var reasons: ShelfTable.Reason = []
        if !hosts.mayStart(host) { reasons.insert(.host) }
        if !groups.mayStart(group) { reasons.insert(.group) }
        if !stages.mayStart(key.stage) { reasons.insert(.stage) }
        let id = waiting.add(key, host: host, group: group, closedFor: reasons)
        hosts.add(id, to: host)
        groups.add(id, to: group)
        return id
    }

    private func key(of shelf: ShelfTable.ID) -> ShelfTable.Key {
        ShelfTable.Key(
            host: hosts.name(of: waiting.host(of: shelf)), group: groups.name(of: waiting.group(of: shelf)) ?? 0,
            stage: waiting.stage(of: shelf))
    }

    /// Removes an element from a shelf, and the shelf if it was the last one.
    mutating func leave(_ shelf: ShelfTable.ID) {
        guard waiting.leave(shelf) else { return }
        let (host, group) = (waiting.host(of: shelf), waiting.group(of: shelf))
        waiting.remove(shelf, key(of: shelf))
        hosts.remove(shelf, from: host)
        hosts.releaseRoom()
        groups.remove(shelf, from: group)
        groups.releaseRoom()
        guard waiting.hasRoomForMany else { return }
        waiting.releaseRoom()
        sized = SizedLanes()
        fillSizedLanes()
        offerLanes(of: .first)
    }

    /// Files all running and waiting elements by the rules that have come into force. Parked elements are filed when
    /// they return.
    private mutating func fileAll() {
        var next = running.first.index
        while let index = next {
            next = elements.index(after: index)
            let former = places[Int(index)].shelf
            guard let key = keyByRules(of: index) else { continue }
            let (hadHost, hadGroup) = (waiting.host(of: former) != .none, waiting.group(of: former) != .none)
            let shelf = shelf(key)
            file(index, on: shelf)
            if !hadHost { _ = hosts.start(waiting.host(of: shelf)) }
            if !hadGroup { _ = groups.start(waiting.group(of: shelf)) }
        }
        var moved: [(sequence: UInt64, index: UInt32, band: Band)] = []
        for shelf in waiting.all where lacksOwner(shelf) {
            for band in Band.all {
                elements.forEach(in: waiting[shelf, band]) { moved.append((places[Int($0)].sequence, $0, band)) }
            }
        }
        // Those of a lane may come from several shelves.
        moved.sort { $0.sequence < $1.sequence }
        for (_, index, band) in moved {
            guard let key = keyByRules(of: index) else { continue }
            let former = places[Int(index)].shelf
            unlink(index, from: former, band)
            // The shelf may be removed.
            if waiting[former, band].isEmpty { waiting.withdraw(former, band) }
            let shelf = shelf(key)
            file(index, on: shelf)
            link(index, to: shelf, band)
        }
    }

    /// Whether elements of a shelf may have a host or a group by which the rules want them filed.
    private func lacksOwner(_ shelf: ShelfTable.ID) -> Bool {
        hosts.isRuleInForce && waiting.host(of: shelf) == .none
            || groups.isRuleInForce && waiting.group(of: shelf) == .none
    }

    /// The key of an element's shelf with the host and the group that the rules want; `nil` if it does not change.
    private func keyByRules(of index: UInt32) -> ShelfTable.Key? {
        let former = places[Int(index)].shelf
        guard lacksOwner(former) else { return nil }
        let formerKey = key(of: former)
        let key = ShelfTable.Key(
            host: formerKey.host ?? (hosts.isRuleInForce ? hostOf(elements[index]) : nil),
            group: formerKey.group == 0 && groups.isRuleInForce ? groupOf(elements[index]) : formerKey.group,
            stage: formerKey.stage)
        return key == formerKey ? nil : key
    }

    // MARK: Sizing

    /// Returns a running element of kind `.sizing` that keeps a transfer from starting: a transfer slot is free, and a
    /// transfer waits only because of the limit of the element's host or group. Each element is returned once; the
    /// caller must end it.
    ///
    /// O(running shelves) while there are such rules and such elements run, otherwise O(1).
    mutating func nextObstructingSizing() -> Element? {
        guard sizingCount > 0, hosts.isRuleInForce || groups.isRuleInForce, !isSuspended,
            case let bands = startableBands.intersection(.transfer), bands.first != nil, waiting.first(in: bands) == nil
        else { return nil }
        var next = running.first.index
        while let index = next {
            next = elements.index(after: index)
            guard places[Int(index)].kind == .sizing, !places[Int(index)].isObstructing else { continue }
            if isObstructing(on: places[Int(index)].shelf) {
                places[Int(index)].isObstructing = true
                return elements[index]
            }
        }
        return nil
    }

    /// Whether an element on a shelf counts for the limit of a host or a group for which a transfer waits.
    private func isObstructing(on shelf: ShelfTable.ID) -> Bool {
        let (host, group) = (waiting.host(of: shelf), waiting.group(of: shelf))
        if !hosts.mayStart(host), !hosts.isBlocked(host), hosts.shelves(of: host).contains(where: hasTransfer) {
            return true
        }
        return !groups.mayStart(group) && groups.shelves(of: group).contains(where: hasTransfer)
    }

    /// Whether a transfer of a stage that may start waits on the shelf.
    private func hasTransfer(_ shelf: ShelfTable.ID) -> Bool {
        stages.mayStart(waiting.stage(of: shelf))
            && Band.all.contains { $0.kind == .transfer && !waiting[shelf, $0].isEmpty }
    }
}
