extension Int64 {
    /// The sum, or `nil` if it is too large: sizes come from lists and servers.
    func adding(_ other: Int64) -> Int64? {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? nil : sum
    }
}
