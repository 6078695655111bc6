import Foundation
import NetworkQueueKit

/// Parses the values of options.
enum OptionValue {
    static func text(_ value: String, of option: Option) throws(UsageError) -> String {
        if value.isEmpty { throw UsageError("--\(option.long) requires a value") }
        return value
    }

    static func number(_ value: String, of option: Option, in range: ClosedRange<Int>) throws(UsageError) -> Int {
        guard let number = Int(value), range.contains(number) else {
            throw UsageError(
                "--\(option.long) must be \(range.lowerBound) to \(range.upperBound); got “\(value)”")
        }
        return number
    }

    static func seconds(
        _ value: String, of option: Option, in range: ClosedRange<Double> = 0...86_400
    ) throws(UsageError) -> Double {
        guard let seconds = Double(value), range.contains(seconds) else {
            throw UsageError(
                "--\(option.long) must be \(range.lowerBound.formatted()) to 86400 seconds; got “\(value)”")
        }
        return seconds
    }

    /// Parses a rate in bytes per second: `500K`, `2M`, `1.5G`, `100000`.
    static func rate(_ value: String, of option: Option) throws(UsageError) -> Int {
        let units: [Character: Double] = ["K": 0x1p10, "M": 0x1p20, "G": 0x1p30]
        let unit = value.last.flatMap { units[Character($0.uppercased())] }
        guard let number = Double(unit == nil ? Substring(value) : value.dropLast()), number > 0,
            case let rate = number * (unit ?? 1), (1..<0x1p62).contains(rate)
        else {
            throw UsageError("--\(option.long) must be bytes per second, such as 500K or 2M; got “\(value)”")
        }
        return Int(rate)
    }

    /// Parses `sha256:`, `sha512:`, `sha1:` or `md5:` followed by the digits. Also accepts `=` for the colon and names
    /// like `sha-256`, as aria2 does.
    static func checksum(_ value: String) -> NetworkRequest.Checksum? {
        let bytes = value.utf8
        guard let mark = bytes.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "=") }) else {
            return nil
        }
        return checksum(named: value[..<mark], String(value[bytes.index(after: mark)...]))
    }

    /// The checksum for an algorithm's name in any common spelling; `nil` if the algorithm is unknown or the digits do
    /// not fit it.
    static func checksum(named name: some StringProtocol, _ digits: String) -> NetworkRequest.Checksum? {
        let checksum: NetworkRequest.Checksum
        switch name.lowercased() {
        case "sha256", "sha-256": checksum = .sha256(digits)
        case "sha512", "sha-512": checksum = .sha512(digits)
        case "sha1", "sha-1": checksum = .sha1(digits)
        case "md5": checksum = .md5(digits)
        default: return nil
        }
        guard digits.utf8.count == checksum.digitCount, digits.utf8.allSatisfy(\.isHexadecimal) else {
            return nil
        }
        return checksum
    }

    /// A description of the values that ``checksum(_:)`` accepts.
    static let checksumForms = "sha256: with 64 hexadecimal digits, sha512: with 128, sha1: with 40 or md5: with 32"

    static func durability(_ value: String, of option: Option) throws(UsageError) -> Durability {
        switch value {
        case "end": .atEnd
        case "each": .eachFile
        case "never": .never
        default: throw UsageError("--\(option.long) must be end, each or never; got “\(value)”")
        }
    }

    /// Parses `K/N`, with K from 1 to N.
    static func shard(_ value: String, of option: Option) throws(UsageError) -> SourceOptions.Shard {
        let numbers = value.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard numbers.count == 2, numbers[1] > 0, (1...numbers[1]).contains(numbers[0]) else {
            throw UsageError("--\(option.long) must be K/N with 1 ≤ K ≤ N; got “\(value)”")
        }
        return SourceOptions.Shard(number: numbers[0], count: numbers[1])
    }
}
