/// One of the 22 classes of waiting requests. Of the requests that may start, those of a band start before those of the
/// next one.
///
/// | order of start | 0 | 1 | 2 | 3 | … | 8 | 9 | 10 … 19 | 20, 21 |
/// |---|---|---|---|---|---|---|---|---|---|
/// | kind | transfer | transfer | transfer | transfer | … | transfer | transfer | sizing, likewise | helping |
/// | priority | veryHigh | veryHigh | high | high | … | veryLow | veryLow | | any |
/// | returning | yes | no | yes | no | … | yes | no | | yes, no |
struct Band: Equatable, Sendable {
    static let count = RequestKind.helping.rawValue * perKind + 2
    static let perKind = RequestPriority.allCases.count * 2

    /// The position in the order of start.
    let rawValue: Int

    /// - Parameter isReturning: Whether the request precedes the others of its priority, because it was parked or was
    ///   moved to the front.
    init(kind: RequestKind, priority: RequestPriority, isReturning: Bool) {
        let urgency = kind == .helping ? 0 : RequestPriority.veryHigh.rawValue - priority.rawValue
        rawValue = kind.rawValue * Self.perKind + urgency * 2 + (isReturning ? 0 : 1)
    }

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    var isReturning: Bool { rawValue & 1 == 0 }
    var kind: RequestKind { RequestKind(rawValue: rawValue / Self.perKind) ?? .helping }

    static var all: some Sequence<Band> {
        (0..<count).lazy.map { Band(rawValue: $0) }
    }
}

/// The purpose of a request. Transfers and sizing have separate limits; if both may start, transfers go first.
enum RequestKind: Int, Sendable, CaseIterable {
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

    private init(of kind: RequestKind) {
        bits = 0
        for band in Band.all where band.kind == kind { insert(band) }
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
///
/// Sizes are known from ``NetworkRequest/expectedDownloadSize``, from the length of the content to send and, in a
/// ``NetworkQueue`` with ``NetworkQueue/showsAccurateProgress``, from sizing. A size that becomes known while a request
/// waits moves the request, in O(log n). An ``NetworkRequest/estimatedDownloadSize`` does not count. The order is that
/// of waiting requests: a request that runs is not interrupted.
public enum QueueMode: Sendable, Hashable, CaseIterable {
    /// The request that was added first starts first.
    case firstInFirstOut
    /// The request that was added last starts first.
    case lastInFirstOut
    /// The smallest request starts first. Requests of unknown size start after all others; requests of equal or of
    /// unknown size start in the order in which they were added.
    case smallestFirst
    /// The largest request starts first. Requests of unknown size start after all others; requests of equal or of
    /// unknown size start in the order in which they were added.
    case largestFirst

    var ordersBySize: Bool {
        switch self {
        case .firstInFirstOut, .lastInFirstOut: false
        case .smallestFirst, .largestFirst: true
        }
    }

    /// The rank of a size in a mode that orders by size; smaller ranks start earlier.
    func rank(ofSize size: Int64?) -> UInt64 {
        guard let size else { return .max }
        let magnitude = UInt64(max(size, 0))
        return self == .largestFirst ? UInt64(Int64.max) - magnitude : magnitude
    }
}
