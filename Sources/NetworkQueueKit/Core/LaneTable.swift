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
