/// One of the 22 classes of waiting requests. Of the requests that may start, those of a band start before those of the
/// next one.
///
/// | order of start | 0 | 1 | 2 | 3 | … | 8 | 9 | 10 … 19 | 20, 21 |
/// |---|---|---|---|---|---|---|---|---|---|
/// | stage | transfer | transfer | transfer | transfer | … | transfer | transfer | sizing, likewise | helping |
/// | priority | veryHigh | veryHigh | high | high | … | veryLow | veryLow | | any |
/// | returning | yes | no | yes | no | … | yes | no | | yes, no |
struct Band: Equatable, Sendable {
    static let count = RequestStage.helping.rawValue * perStage + 2
    static let perStage = RequestPriority.allCases.count * 2

    /// The position in the order of start.
    let rawValue: Int

    /// - Parameter isReturning: Whether the request precedes the others of its priority, because it was parked or was
    ///   moved to the front.
    init(stage: RequestStage, priority: RequestPriority, isReturning: Bool) {
        let urgency = stage == .helping ? 0 : RequestPriority.veryHigh.rawValue - priority.rawValue
        rawValue = stage.rawValue * Self.perStage + urgency * 2 + (isReturning ? 0 : 1)
    }

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    var isReturning: Bool { rawValue & 1 == 0 }
    var stage: RequestStage { RequestStage(rawValue: rawValue / Self.perStage) ?? .helping }

    static var all: some Sequence<Band> {
        (0..<count).lazy.map { Band(rawValue: $0) }
    }
}

/// The purpose of a request. Transfers and sizing have separate limits; if both may start, transfers go first.
enum RequestStage: Int, Sendable, CaseIterable {
    /// Transfers content that the user requested.
    case transfer
    /// Requests the size of a transfer; may start while the scheduler is gated.
    case sizing
    /// Helps a transfer, in a transfer slot that nothing else waits for.
    case helping
}

/// The priority of a waiting request.
///
/// A request starts before waiting requests of lower priority, unless its host is at its limit or held back. If both
/// may start, transfers go before sizing requests.
public enum RequestPriority: Int, Comparable, Sendable, CaseIterable {
    /// Starts after all other priorities.
    case veryLow
    /// Starts after `normal`.
    case low
    /// The default priority.
    case normal
    /// Starts before `normal`.
    case high
    /// Starts before all other priorities.
    case veryHigh

    /// Compares by urgency: a lower priority starts later.
    public static func < (left: RequestPriority, right: RequestPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// A set of bands that can tell the first one to start.
struct BandSet: Sendable {
    private var bits: UInt32

    static let none = BandSet(bits: 0)
    static let transfer = BandSet(of: .transfer)
    static let sizing = BandSet(of: .sizing)
    /// The bands that use transfer slots.
    static let slotted = transfer.union(BandSet(of: .helping))

    private init(bits: UInt32) {
        self.bits = bits
    }

    private init(of stage: RequestStage) {
        bits = 0
        for band in Band.all where band.stage == stage { insert(band) }
    }

    /// The first band in the order of start.
    var first: Band? {
        bits == 0 ? nil : Band(rawValue: bits.trailingZeroBitCount)
    }

    func union(_ other: BandSet) -> BandSet {
        BandSet(bits: bits | other.bits)
    }

    func intersection(_ other: BandSet) -> BandSet {
        BandSet(bits: bits & other.bits)
    }

    mutating func insert(_ band: Band) {
        bits |= 1 << band.rawValue
    }

    mutating func remove(_ band: Band) {
        bits &= ~(1 << band.rawValue)
    }
}

/// The order in which waiting requests of equal priority start.
public enum QueueMode: Sendable, Hashable, CaseIterable {
    /// The request that was added first starts first.
    case firstInFirstOut
    /// The request that was added last starts first. Running requests are not interrupted.
    case lastInFirstOut
}
