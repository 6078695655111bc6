/// A body's size as a server or a caller claims it, in eight bytes; an absurd claim counts as none.
struct ClaimedSize: Equatable {
    /// The largest claim that is believed: a pebibyte, ten days at 10 Gbit/s.
    static let limit: Int64 = 1 << 50

    private let raw: Int64

    /// A negative size, or one above ``limit``, becomes unknown.
    init(_ claim: Int64?) {
        if let claim, (0...Self.limit).contains(claim) { raw = claim } else { raw = -1 }
    }

    /// The size in bytes.
    var bytes: Int64? { raw < 0 ? nil : raw }
}

extension Int64 {
    /// The sum, or `max` where it would overflow. Neither side may be negative.
    func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
