/// One of the 22 classes of waiting requests. All of one band start before any of the next.
///
/// | order of start | 0 | 1 | 2 | 3 | … | 8 | 9 | 10 … 19 | 20, 21 |
/// |---|---|---|---|---|---|---|---|---|---|
/// | stage | transfer | transfer | transfer | transfer | … | transfer | transfer | sizing, likewise | helping |
/// | priority | veryHigh | veryHigh | high | high | … | veryLow | veryLow | | any |
/// | returning | yes | no | yes | no | … | yes | no | | yes, no |
struct Band: Equatable, Sendable {
    static let count = RequestStage.helping.rawValue * perStage + 2
    static let perStage = RequestPriority.allCases.count * 2

    /// Its place in the order of start.
    let rawValue: Int

    /// - Parameter isReturning: Whether the request goes ahead of its priority: it has run before and waits to run
    ///   again, or was moved to the front.
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

/// What a request is for. Transfers and sizing have limits of their own; where both may start, transfers go first.
enum RequestStage: Int, Sendable, CaseIterable {
    /// Transfers what the user asked for.
    case transfer
    /// Asks for the size of a transfer; starts also while the scheduler is gated.
    case sizing
    /// Helps a transfer, in a slot for transfers that nothing else waits for.
    case helping
}

/// How urgent a request is. A higher one always starts before a lower one; questions for sizes come after all
/// transfers.
public enum RequestPriority: Int, Comparable, Sendable, CaseIterable {
    /// After all others.
    case veryLow
    /// After the default.
    case low
    /// The default.
    case normal
    /// Before the default.
    case high
    /// Before all others.
    case veryHigh

    /// Whether `left` starts after `right`.
    public static func < (left: RequestPriority, right: RequestPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// A set of bands that knows which of them comes first.
struct BandSet: Sendable {
    private var bits: UInt32

    static let none = BandSet(bits: 0)
    static let transfer = BandSet(of: .transfer)
    static let sizing = BandSet(of: .sizing)
    /// What takes the slots for transfers.
    static let slotted = transfer.union(BandSet(of: .helping))

    private init(bits: UInt32) {
        self.bits = bits
    }

    private init(of stage: RequestStage) {
        bits = 0
        for band in Band.all where band.stage == stage { insert(band) }
    }

    /// The band whose requests start before those of the others.
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

/// Which waiting request of one priority starts next.
public enum QueueMode: Sendable, Hashable, CaseIterable {
    /// The one that was added first.
    case firstInFirstOut
    /// The one that was added last. Running requests go on.
    case lastInFirstOut
}
