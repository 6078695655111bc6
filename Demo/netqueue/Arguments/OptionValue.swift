/// Reads the values of options.
enum OptionValue {
    static func text(_ value: String, of option: Option) throws(UsageError) -> String {
        if value.isEmpty { throw UsageError("--\(option.long) needs a value") }
        return value
    }

    static func number(_ value: String, of option: Option, in range: ClosedRange<Int>) throws(UsageError) -> Int {
        guard let number = Int(value), range.contains(number) else {
            throw UsageError(
                "--\(option.long) is a number from \(range.lowerBound) to \(range.upperBound), not “\(value)”")
        }
        return number
    }

    static func seconds(_ value: String, of option: Option) throws(UsageError) -> Double {
        guard let seconds = Double(value), (0...86_400).contains(seconds) else {
            throw UsageError("--\(option.long) is a number from 0 to 86400, not “\(value)”")
        }
        return seconds
    }
}
