/// The shelves of elements, and the lanes of waiting elements on them, one per shelf and band.
///
/// A shelf has the elements that the same rules keep from starting: those of one host, group and stage. A rule that keeps
/// them from starting *closes* the shelf for a ``Reason``. Another kind of rule needs a part of the ``Key`` and a
/// reason, and nothing else here: a shelf is open when no reason is left.
///
/// A lane *offers* its front element by rank, or is *withdrawn* if it is empty or its shelf is closed to it. So the
/// next element is found without visiting any that may not start.
struct ShelfTable: Sendable {
    /// Identifies a shelf while it has elements.
    struct ID: Hashable, Sendable {
        /// The shelf of stage 0 for elements without a host, or whose host was not determined because no rule needed
        /// it. It always exists.
        static let first = ID(rawValue: 0)

        let rawValue: UInt32
    }

    /// What the elements of a shelf have in common.
    struct Key: Hashable, Sendable {
        let host: String?
        /// The number of the group; 0 if there is none, or if it was not determined because no rule needed it.
        var group: UInt32 = 0
        let stage: Int
    }

    /// The reasons why a shelf is closed.
    struct Reason: OptionSet, Sendable {
        let rawValue: UInt8

        /// The host is at its limit or held back.
        static let host = Reason(rawValue: 1)
        /// A lower stage has not ended. Concerns transfers only.
        static let stage = Reason(rawValue: 2)
        /// The group is at its limit.
        static let group = Reason(rawValue: 4)
    }

    private struct Shelf: Sendable {
        let host: LimitTable<String>.ID
        let group: LimitTable<UInt32>.ID
        let stage: Int
        var count = 0
        var reasons: Reason = []
    }

    private var shelves = SlotMap<Shelf>()
    private var ids: [Key: ID] = [:]
    /// The bands of the first shelf, then those of the next, and so on.
    private var lanes: ContiguousArray<Lane>
    private var offers: ContiguousArray<IndexedHeap<StartRank>>
    private var offerPositions: ContiguousArray<IndexedHeap<StartRank>.Positions>
    private var offeringBands = BandSet.none

    init() {
        _ = shelves.insert(Shelf(host: .none, group: .none, stage: 0))
        lanes = ContiguousArray(repeating: Lane(), count: Band.count)
        offers = ContiguousArray(repeating: IndexedHeap<StartRank>(), count: Band.count)
        offerPositions = ContiguousArray(repeating: [], count: Band.count)
    }

    // MARK: Shelves

    func id(for key: Key) -> ID? { ids[key] }

    func host(of id: ID) -> LimitTable<String>.ID { shelves[id.rawValue].host }

    func group(of id: ID) -> LimitTable<UInt32>.ID { shelves[id.rawValue].group }

    func stage(of id: ID) -> Int { shelves[id.rawValue].stage }

    /// All shelves. O(shelves)
    var all: [ID] {
        (0..<UInt32(shelves.slotCount)).filter { shelves.contains(shelves.key(at: $0)) }.map { ID(rawValue: $0) }
    }

    /// Adds an empty shelf.
    mutating func add(
        _ key: Key, host: LimitTable<String>.ID, group: LimitTable<UInt32>.ID, closedFor reasons: Reason
    ) -> ID {
        let index = shelves.insert(Shelf(host: host, group: group, stage: key.stage, reasons: reasons)).index
        let needed = (Int(index) + 1) * Band.count
        while lanes.count < needed { lanes.append(Lane()) }
        ids[key] = ID(rawValue: index)
        return ID(rawValue: index)
    }

    /// Counts an element that is filed on a shelf.
    mutating func enter(_ id: ID) {
        if id != .first { shelves[id.rawValue].count += 1 }
    }

    /// Counts an element that is no longer filed on a shelf. Returns whether the shelf must be removed.
    mutating func leave(_ id: ID) -> Bool {
        guard id != .first else { return false }
        shelves[id.rawValue].count -= 1
        return shelves[id.rawValue].count == 0
    }

    /// Removes a shelf, whose lanes are empty and withdrawn.
    mutating func remove(_ id: ID, _ key: Key) {
        ids[key] = nil
        shelves.remove(shelves.key(at: id.rawValue))
    }

    // MARK: Closing

    /// Whether the elements of a band on a shelf may start.
    func isOpen(_ id: ID, to band: Band) -> Bool {
        let reasons = shelves[id.rawValue].reasons
        return reasons.isEmpty || (reasons == .stage && band.kind != .transfer)
    }

    /// Closes a shelf for a reason, or ends the reason. Returns whether that is a change.
    mutating func setClosed(_ id: ID, for reason: Reason, _ isClosed: Bool) -> Bool {
        guard shelves[id.rawValue].reasons.contains(reason) != isClosed else { return false }
        shelves[id.rawValue].reasons.formSymmetricDifference(reason)
        return true
    }

    // MARK: Lanes

    subscript(shelf: ID, band: Band) -> Lane {
        get { lanes[Int(shelf.rawValue) * Band.count + band.rawValue] }
        set { lanes[Int(shelf.rawValue) * Band.count + band.rawValue] = newValue }
    }

    /// The lane of the given bands whose front starts first. O(1)
    func first(in bands: BandSet) -> (shelf: ID, band: Band)? {
        guard let band = offeringBands.intersection(bands).first, let shelf = offers[band.rawValue].first else {
            return nil
        }
        return (ID(rawValue: shelf), band)
    }

    /// Offers the front of a lane; smaller ranks start earlier. O(log shelves)
    mutating func offer(_ shelf: ID, _ band: Band, rank: StartRank) {
        offers[band.rawValue].set(shelf.rawValue, rank: rank, &offerPositions[band.rawValue])
        offeringBands.insert(band)
    }

    /// Withdraws a lane. O(log shelves)
    mutating func withdraw(_ shelf: ID, _ band: Band) {
        offers[band.rawValue].remove(shelf.rawValue, &offerPositions[band.rawValue])
        if offers[band.rawValue].isEmpty { offeringBands.remove(band) }
    }

    // MARK: Size

    /// Whether only the first shelf is left, but there is storage for many former ones, which should be released.
    var hasRoomForMany: Bool { shelves.count == 1 && shelves.slotCount > 64 }

    /// Releases the storage of former shelves. Afterwards nothing is offered.
    mutating func releaseRoom() {
        let first = shelves[ID.first.rawValue]
        let firstLanes = lanes.prefix(Band.count)
        self = ShelfTable()
        shelves[ID.first.rawValue] = first
        lanes = ContiguousArray(firstLanes)
    }
}
