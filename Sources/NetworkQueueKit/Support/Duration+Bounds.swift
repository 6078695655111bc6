/// `Duration` traps if a sum overflows, or if it is made from a number that is too large or not a number. So every
/// duration from a caller, a record or a custom type is bounded before the library calculates with it.
extension Duration {
    /// The longest duration that the library calculates with, about 30 years.
    package static var longest: Duration { .seconds(1_000_000_000) }

    /// The duration, limited to ±``longest``.
    package var bounded: Duration { min(max(self, .zero - .longest), .longest) }

    /// A number of seconds, limited to ±``longest``; zero if it is not a number.
    package static func bounded(seconds: Double) -> Duration {
        guard !seconds.isNaN else { return .zero }
        let limit = longest.seconds
        return .seconds(min(max(seconds, -limit), limit))
    }

    /// The duration in seconds, limited to ±``longest``.
    package var seconds: Double {
        let parts = bounded.components
        return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
    }
}

extension Int64 {
    /// The sum, or the nearest number if it is out of range.
    package func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
