/// Moving elements between lanes. After every function, the offers of `waiting` are up to date.
extension RequestScheduler {
    // MARK: Waiting

    /// Adds an element that is filed and in no lane to the waiting elements.
    mutating func enqueue(_ index: UInt32, isReturning: Bool) {
        places[Int(index)].state = .waiting(isReturning: isReturning)
        lastSequence += 1
        places[Int(index)].sequence = lastSequence
        let shelf = places[Int(index)].shelf
        let band = band(of: index)
        link(index, to: shelf, band)
        if front(of: shelf, band) == index { offerLane(of: shelf, band) }
    }

    /// Removes a waiting element from its lane.
    mutating func dequeue(_ index: UInt32) {
        let shelf = places[Int(index)].shelf
        let band = band(of: index)
        let wasFront = front(of: shelf, band) == index
        unlink(index, from: shelf, band)
        if wasFront { offerLane(of: shelf, band) }
    }

    /// Appends an element to a lane.
    mutating func link(_ index: UInt32, to shelf: ShelfTable.ID, _ band: Band) {
        elements.append(index, to: &waiting[shelf, band])
        if isSized(band) { sized.set(index, rank: rank(of: index, band), shelf, band) }
    }

    /// Removes an element from a lane.
    mutating func unlink(_ index: UInt32, from shelf: ShelfTable.ID, _ band: Band) {
        elements.unlink(index, from: &waiting[shelf, band])
        if isSized(band) { sized.remove(index, shelf, band) }
    }

    /// Files an element that is in no lane again: rules about hosts may have come or gone, and a parked element may
    /// have moved to another host.
    mutating func refile(_ index: UInt32) {
        file(index, stage: waiting.stage(of: places[Int(index)].shelf))
    }

    /// The element of a lane that starts first.
    @inline(__always)
    func front(of shelf: ShelfTable.ID, _ band: Band) -> UInt32? {
        if isSized(band) { return sized.first(shelf, band) }
        let lane = waiting[shelf, band]
        return isNewestFirst(band) ? lane.last.index : lane.first.index
    }

    /// Whether the last element of a lane starts first. Lanes are sorted by sequence, because elements are always
    /// appended.
    @inline(__always)
    func isNewestFirst(_ band: Band) -> Bool {
        band.isReturning || mode == .lastInFirstOut
    }

    // Inlined, like `rank(of:_:)` and `startableBands`: otherwise each call from a mutating function would copy the
    // whole scheduler.
    @inline(__always)
    private func band(of index: UInt32) -> Band {
        guard case .waiting(let isReturning) = places[Int(index)].state else {
            preconditionFailure("only a waiting element stands in a lane of a band")
        }
        return Band(kind: places[Int(index)].kind, priority: places[Int(index)].priority, isReturning: isReturning)
    }

    // MARK: Sizes

    /// Whether elements of a band start by size.
    @inline(__always)
    private func isSized(_ band: Band) -> Bool {
        mode.ordersBySize && band.kind == .transfer && !band.isReturning
    }

    mutating func noteSize(_ size: Int64?, of index: UInt32) {
        while sizes.count <= Int(index) { sizes.append(nil) }
        sizes[Int(index)] = size
    }

    /// Moves a waiting element whose size has changed.
    mutating func updateRank(of index: UInt32) {
        let shelf = places[Int(index)].shelf
        let band = band(of: index)
        guard isSized(band) else { return }
        let wasFront = front(of: shelf, band) == index
        sized.set(index, rank: rank(of: index, band), shelf, band)
        if wasFront || front(of: shelf, band) == index { offerLane(of: shelf, band) }
    }

    mutating func modeDidChange(from former: QueueMode) {
        sized = SizedLanes()
        if !mode.ordersBySize {
            sizes = []
        } else if !former.ordersBySize {
            sizes = ContiguousArray(repeating: nil, count: elements.slotCount)
        }
        fillSizedLanes()
        offerAllLanes()
    }

    /// Adds all waiting elements to the lanes ordered by size, if the mode needs them.
    mutating func fillSizedLanes() {
        guard mode.ordersBySize else { return }
        for shelf in waiting.all {
            for band in Band.all where isSized(band) {
                elements.forEach(in: waiting[shelf, band]) { sized.set($0, rank: rank(of: $0, band), shelf, band) }
            }
        }
    }

    // MARK: Offers

    /// The rank of an element in a band; smaller ranks start earlier.
    @inline(__always)
    func rank(of index: UInt32, _ band: Band) -> StartRank {
        let sequence = places[Int(index)].sequence
        if isSized(band) { return StartRank(size: mode.rank(ofSize: sizes[Int(index)]), sequence: sequence) }
        return StartRank(sequence: isNewestFirst(band) ? ~sequence : sequence)
    }

    /// Offers the front of a lane if it has one and its shelf is open to it; otherwise withdraws the lane.
    /// O(log shelves)
    mutating func offerLane(of shelf: ShelfTable.ID, _ band: Band) {
        if let front = front(of: shelf, band), waiting.isOpen(shelf, to: band) {
            waiting.offer(shelf, band, rank: rank(of: front, band))
        } else {
            waiting.withdraw(shelf, band)
        }
    }

    /// Updates the offers of all lanes of a shelf. O(log shelves)
    mutating func offerLanes(of shelf: ShelfTable.ID) {
        for band in Band.all { offerLane(of: shelf, band) }
    }

    /// Updates the offers of all lanes. O(shelves log shelves)
    mutating func offerAllLanes() {
        for shelf in waiting.all { offerLanes(of: shelf) }
    }

    // MARK: Running and parked

    /// The bands of the kinds that are below their limits.
    @inline(__always)
    var startableBands: BandSet {
        let mayTransfer = !isGated && (maximumRunning < 1 || transferringCount < maximumRunning)
        let hasSizingLimit = maximumSizing > 0 && maximumRunning > 0
        let maySize = !hasSizingLimit || sizingCount < max(maximumSizing, maximumRunning)
        return (mayTransfer ? BandSet.slotted : .none).union(maySize ? .sizing : .none)
    }

    mutating func countRunning(_ index: UInt32, by difference: Int) {
        switch places[Int(index)].kind {
        case .transfer: transferringCount += difference
        case .helping:
            transferringCount += difference
            helpingCount += difference
        case .sizing: sizingCount += difference
        }
    }

    mutating func leaveRunning(_ index: UInt32) {
        elements.unlink(index, from: &running)
        countRunning(index, by: -1)
        let shelf = places[Int(index)].shelf
        let (host, group) = (waiting.host(of: shelf), waiting.group(of: shelf))
        if hosts.stop(host) { closeShelves(hosts.shelves(of: host)) }
        if groups.stop(group) { closeShelves(groups.shelves(of: group)) }
    }

    /// Parks an element that is in no lane. Its host is determined again when it returns.
    mutating func enterParked(_ index: UInt32) {
        elements.append(index, to: &parked)
        places[Int(index)].state = .parked
        parkedCount += 1
    }

    mutating func leaveParked(_ index: UInt32) {
        elements.unlink(index, from: &parked)
        parkedCount -= 1
    }

    /// Removes an element that is in no lane.
    mutating func discard(_ ticket: Ticket) -> Element? {
        guard let element = elements.remove(ticket) else { return nil }
        let place = places[Int(ticket.index)]
        let stage = waiting.stage(of: place.shelf)
        leave(place.shelf)
        if place.kind == .transfer, stages.leave(stage) { closeShelvesByStage() }
        if elements.slotCount == 0 {
            places = []
            sizes = []
        }
        return element
    }
}
