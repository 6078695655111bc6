/// Moving elements between lanes. After every function, the offers of `waiting` are up to date.
extension RequestScheduler {
    // MARK: Waiting

    /// Adds an element that is in no lane to the waiting elements.
    mutating func enqueue(_ index: UInt32, isReturning: Bool) {
        places[Int(index)].state = .waiting(isReturning: isReturning)
        lastSequence += 1
        places[Int(index)].sequence = lastSequence
        file(index)
        let host = places[Int(index)].host
        let band = band(of: index)
        let wasEmpty = waiting[host, band].isEmpty
        elements.append(index, to: &waiting[host, band])
        if wasEmpty || isNewestFirst(band) { offerLane(of: host, band) }
    }

    /// Removes a waiting element from its lane.
    mutating func dequeue(_ index: UInt32) {
        let host = places[Int(index)].host
        let band = band(of: index)
        let wasFront = front(of: waiting[host, band], band) == index
        elements.unlink(index, from: &waiting[host, band])
        if wasFront { offerLane(of: host, band) }
    }

    /// The element of a lane that starts first.
    func front(of lane: Lane, _ band: Band) -> UInt32? {
        isNewestFirst(band) ? lane.last.index : lane.first.index
    }

    /// Whether the last element of a lane starts first. Lanes are sorted by sequence, because elements are always
    /// appended.
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
        return Band(stage: places[Int(index)].stage, priority: places[Int(index)].priority, isReturning: isReturning)
    }

    // MARK: Offers

    /// The rank of an element in a band; smaller ranks start earlier.
    @inline(__always)
    func rank(of index: UInt32, _ band: Band) -> UInt64 {
        isNewestFirst(band) ? ~places[Int(index)].sequence : places[Int(index)].sequence
    }

    /// Offers the front of a lane if it has one and its host may start; otherwise withdraws the lane. O(log hosts)
    mutating func offerLane(of host: HostTable.ID, _ band: Band) {
        // Checked first, because a host without waiting elements may have been forgotten.
        if let front = front(of: waiting[host, band], band), hosts.mayStart(host) {
            waiting.offer(host, band, rank: rank(of: front, band))
        } else {
            waiting.withdraw(host, band)
        }
    }

    /// Updates the offers of all lanes of a host. O(log hosts)
    mutating func offerLanes(of host: HostTable.ID) {
        for band in Band.all { offerLane(of: host, band) }
    }

    /// Updates the offers of all lanes. O(hosts log hosts)
    mutating func offerAllLanes() {
        for host in waiting.hosts { offerLanes(of: host) }
    }

    // MARK: Running and parked

    /// The bands of the stages that are below their limits.
    @inline(__always)
    var startableBands: BandSet {
        let mayTransfer = !isGated && (maximumRunning < 1 || transferringCount < maximumRunning)
        let hasSizingLimit = maximumSizing > 0 && maximumRunning > 0
        let maySize = !hasSizingLimit || sizingCount < max(maximumSizing, maximumRunning)
        return (mayTransfer ? BandSet.slotted : .none).union(maySize ? .sizing : .none)
    }

    mutating func countRunning(_ index: UInt32, by difference: Int) {
        switch places[Int(index)].stage {
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
        let host = places[Int(index)].host
        if hosts.stop(host) { offerLanes(of: host) }
    }

    /// Parks an element that is in no lane. Its host is determined again when it returns.
    mutating func enterParked(_ index: UInt32) {
        hosts.leave(places[Int(index)].host)
        places[Int(index)].host = .none
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
        hosts.leave(places[Int(ticket.index)].host)
        if elements.slotCount == 0 { places = [] }
        if hosts.hasRoomForMany {
            hosts.removeRoom()
            waiting.removeRoomForHosts()
            offerAllLanes()
        }
        return element
    }
}

/// The lanes of waiting elements, one per band and host, and for each band an ordering of the lanes from which an
/// element may start.
///
/// A lane *offers* its front element by rank, or is *withdrawn* if it is empty or its host may not start. So the next
/// element is found without visiting any that may not start.
struct LaneTable: Sendable {
    /// The bands without a host, then those of host 1, and so on.
    private var lanes: ContiguousArray<Lane>
    private var offers: ContiguousArray<IndexedHeap>
    private var offeringBands = BandSet.none

    init() {
        lanes = ContiguousArray(repeating: Lane(), count: Band.count)
        offers = ContiguousArray(repeating: IndexedHeap(), count: Band.count)
    }

    subscript(host: HostTable.ID, band: Band) -> Lane {
        get { lanes[Int(host.rawValue) * Band.count + band.rawValue] }
        set { lanes[Int(host.rawValue) * Band.count + band.rawValue] = newValue }
    }

    /// All hosts that lanes are allocated for.
    var hosts: some Collection<HostTable.ID> {
        (0..<UInt32(lanes.count / Band.count)).lazy.map { HostTable.ID(rawValue: $0) }
    }

    // MARK: Offers

    /// The lane of the given bands whose front starts first. O(1)
    func first(in bands: BandSet) -> (host: HostTable.ID, band: Band)? {
        guard let band = offeringBands.intersection(bands).first, let host = offers[band.rawValue].first else {
            return nil
        }
        return (HostTable.ID(rawValue: host), band)
    }

    /// Offers the front of a lane; smaller ranks start earlier. O(log hosts)
    mutating func offer(_ host: HostTable.ID, _ band: Band, rank: UInt64) {
        offers[band.rawValue].set(host.rawValue, rank: rank)
        offeringBands.insert(band)
    }

    /// Withdraws a lane. O(log hosts)
    mutating func withdraw(_ host: HostTable.ID, _ band: Band) {
        offers[band.rawValue].remove(host.rawValue)
        if offers[band.rawValue].isEmpty { offeringBands.remove(band) }
    }

    // MARK: Size

    /// Allocates the lanes of a host.
    mutating func makeRoom(for host: HostTable.ID) {
        let needed = (Int(host.rawValue) + 1) * Band.count
        while lanes.count < needed { lanes.append(Lane()) }
    }

    /// Frees the lanes of all hosts, which must be empty. Afterwards nothing is offered.
    mutating func removeRoomForHosts() {
        lanes = ContiguousArray(lanes.prefix(Band.count))
        offers = ContiguousArray(repeating: IndexedHeap(), count: Band.count)
        offeringBands = .none
    }
}
