/// A set of bands that knows which of them comes first.
struct BandSet: Sendable {
    private var bits: UInt16

    static let none = BandSet(bits: 0)
    static let transfer = BandSet(of: .transfer)
    static let sizing = BandSet(of: .sizing)

    private init(bits: UInt16) {
        self.bits = bits
    }

    private init(of stage: RequestStage) {
        bits = (1 << Band.perStage - 1) << (stage.rawValue * Band.perStage)
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
