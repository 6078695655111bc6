/// How elements move between lanes. Every function leaves all offers of `waiting` true.
extension RequestScheduler {
    // MARK: Waiting

    /// Puts an element that stands in no lane among those waiting.
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

    /// Takes a waiting element out of its lane.
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

    /// Elements are always put at the end of a lane, so that it is sorted by sequence.
    func isNewestFirst(_ band: Band) -> Bool {
        band.isReturning || mode == .lastInFirstOut
    }

    // Inlined, as `rank(of:_:)` and `startableBands` are: each call by what changes the scheduler would hand over a
    // copy of all of it.
    @inline(__always)
    private func band(of index: UInt32) -> Band {
        guard case .waiting(let isReturning) = places[Int(index)].state else {
            preconditionFailure("only a waiting element stands in a lane of a band")
        }
        return Band(stage: places[Int(index)].stage, priority: places[Int(index)].priority, isReturning: isReturning)
    }

    // MARK: Offers

    /// Smaller for an element that starts earlier in the band.
    @inline(__always)
    func rank(of index: UInt32, _ band: Band) -> UInt64 {
        isNewestFirst(band) ? ~places[Int(index)].sequence : places[Int(index)].sequence
    }

    /// Offers the front of a lane, if there is one and its host may start. O(log hosts)
    mutating func offerLane(of host: HostTable.ID, _ band: Band) {
        // The lane first: a host without a waiting element may be forgotten.
        if let front = front(of: waiting[host, band], band), hosts.mayStart(host) {
            waiting.offer(host, band, rank: rank(of: front, band))
        } else {
            waiting.withdraw(host, band)
        }
    }

    /// Does so for all lanes of a host. O(log hosts)
    mutating func offerLanes(of host: HostTable.ID) {
        for band in Band.all { offerLane(of: host, band) }
    }

    /// Does so for all lanes. O(hosts log hosts)
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

    /// Parks an element that stands in no lane. It may return with another host.
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

    /// Forgets an element that stands in no lane.
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

/// The lanes in which elements wait, one for each band and host, and for each band the order of those lanes from which
/// an element may start.
///
/// A lane *offers* its front element by rank, or is *withdrawn*: when it is empty, or its host may not start. So the
/// next element is found without looking at any that may not start.
struct LaneTable: Sendable {
    /// All bands of no host, then those of host 1, and so on.
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

    /// Every host there is room for.
    var hosts: some Collection<HostTable.ID> {
        (0..<UInt32(lanes.count / Band.count)).lazy.map { HostTable.ID(rawValue: $0) }
    }

    // MARK: Offers

    /// The lane whose front is the first in order, among the given bands. O(1)
    func first(in bands: BandSet) -> (host: HostTable.ID, band: Band)? {
        guard let band = offeringBands.intersection(bands).first, let host = offers[band.rawValue].first else {
            return nil
        }
        return (HostTable.ID(rawValue: host), band)
    }

    /// Offers the front of a lane, smaller ranks before larger ones. O(log hosts)
    mutating func offer(_ host: HostTable.ID, _ band: Band, rank: UInt64) {
        offers[band.rawValue].set(host.rawValue, rank: rank)
        offeringBands.insert(band)
    }

    /// Offers nothing from a lane. O(log hosts)
    mutating func withdraw(_ host: HostTable.ID, _ band: Band) {
        offers[band.rawValue].remove(host.rawValue)
        if offers[band.rawValue].isEmpty { offeringBands.remove(band) }
    }

    // MARK: Size

    /// Makes room for the lanes of a host.
    mutating func makeRoom(for host: HostTable.ID) {
        let needed = (Int(host.rawValue) + 1) * Band.count
        while lanes.count < needed { lanes.append(Lane()) }
    }

    /// Frees the lanes of all hosts; no request may be waiting in them. Nothing is offered afterwards.
    mutating func removeRoomForHosts() {
        lanes = ContiguousArray(lanes.prefix(Band.count))
        offers = ContiguousArray(repeating: IndexedHeap(), count: Band.count)
        offeringBands = .none
    }
}
