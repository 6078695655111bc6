/// A set of bands that knows which of them comes first.
struct BandSet: Sendable {
    private var bits: UInt16

    static let none = BandSet(bits: 0)
    static let all = BandSet(bits: 1 << Band.count - 1)
    static let sizing = BandSet(bits: 1 << Band.perStage - 1)

    private init(bits: UInt16) {
        self.bits = bits
    }

    /// The band whose requests start before those of the others.
    var first: Band? {
        bits == 0 ? nil : Band(rawValue: bits.trailingZeroBitCount)
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
