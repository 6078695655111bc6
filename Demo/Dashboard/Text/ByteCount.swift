/// Formats byte counts in binary units.
public enum ByteCount {
    private static let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

    /// A byte count with at most four digits: `512 B`, `3.4 GiB`, `812 MiB`.
    public static func text(_ bytes: Int64) -> String {
        let (number, unit) = parts(Double(max(0, bytes)))
        return "\(number) \(unit)"
    }

    /// A byte count with all digits, in groups of three: `1,048,576`.
    public static func digits(_ bytes: Int64) -> String {
        let digits = Array(String(max(0, bytes)))
        return digits.indices.reduce(into: "") { text, index in
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digits[index])
        }
    }

    /// A byte count and its total: `1.2/3.4 GiB`, or `512 MiB/3.4 GiB`. A `~` marks an estimated total.
    public static func text(_ bytes: Int64, of total: Int64, isEstimated: Bool = false) -> String {
        let (number, unit) = parts(Double(max(0, bytes)))
        let (totalNumber, totalUnit) = parts(Double(max(0, total)))
        let mark = isEstimated ? "~" : ""
        return (unit == totalUnit ? number : "\(number) \(unit)") + "/\(mark)\(totalNumber) \(totalUnit)"
    }

    /// A speed such as `8.1 MiB/s`; `-- B/s` if it is unknown.
    public static func rate(_ bytesPerSecond: Double?) -> String {
        guard let rate = bytesPerSecond, rate.isFinite, rate >= 0 else { return "-- B/s" }
        let (number, unit) = parts(min(rate, Double(Int64.max)))
        return "\(number) \(unit)/s"
    }

    private static func parts(_ bytes: Double) -> (number: String, unit: String) {
        var value = bytes
        var index = 0
        // A value that would round to 1024 is shown as 1.0 of the next unit.
        while value >= 1023.5, index < units.count - 1 {
            value /= 1024
            index += 1
        }
        let tenths = Int((value * 10).rounded())
        let number = index == 0 || tenths >= 1000 ? "\(Int(value.rounded()))" : "\(tenths / 10).\(tenths % 10)"
        return (number, units[index])
    }
}
