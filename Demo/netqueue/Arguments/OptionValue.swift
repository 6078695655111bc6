import Foundation
import NetworkQueueKit

/// The value of an option: its placeholder, and how to apply it.
struct OptionValue: Sendable {
    /// `nil` if the option takes no value.
    var placeholder: String?
    /// Whether the value may be left out; if given, it follows an equals sign.
    var isOptional = false
    /// All values, if there are only a few.
    var words: [String] = []
    /// Applies the value, which is empty for an option without one. `option` is for messages.
    let apply: @Sendable (_ options: inout Options, _ value: String, _ option: String) throws(UsageError) -> Void

    /// Whether the value is the path of a file or folder.
    var isPath: Bool { ["FILE", "DIR"].contains(placeholder) }
    /// Whether the option must be followed by a value.
    var isRequired: Bool { placeholder != nil && !isOptional }

    static func flag(_ set: @escaping @Sendable (inout Options) -> Void) -> OptionValue {
        OptionValue { options, _, _ in set(&options) }
    }

    /// A text that is not empty.
    static func text(
        _ placeholder: String, _ set: @escaping @Sendable (inout Options, String) throws(UsageError) -> Void
    ) -> OptionValue {
        OptionValue(placeholder: placeholder) { options, value, option throws(UsageError) in
            if value.isEmpty { throw UsageError("\(option) requires a value") }
            try set(&options, value)
        }
    }

    static func number(
        _ range: ClosedRange<Int> = 1...1000, _ set: @escaping @Sendable (inout Options, Int) -> Void
    ) -> OptionValue {
        let parse = { @Sendable (value: String) in Int(value).flatMap { range.contains($0) ? $0 : nil }
        }
        return parsed("N", "must be \(range.lowerBound) to \(range.upperBound)", parse: parse, set: set)
    }

    static func seconds(
        from least: Double = 0, _ set: @escaping @Sendable (inout Options, Double) -> Void
    ) -> OptionValue {
        let parse = { @Sendable (value: String) in
            Double(value).flatMap { (least...86_400).contains($0) ? $0 : nil }
        }
        return parsed("S", "must be \(least.formatted()) to 86400 seconds", parse: parse, set: set)
    }

    /// One of a few words.
    static func choice<Value: Sendable>(
        _ placeholder: String, _ field: WritableKeyPath<Options, Value> & Sendable,
        _ choices: KeyValuePairs<String, Value>
    ) -> OptionValue {
        let choices = choices.map { (word: $0.key, value: $0.value) }
        let words = choices.map(\.word)
        let text = words.dropLast().joined(separator: ", ") + " or \(words[words.count - 1])"
        var result = parsed(placeholder, "must be \(text)") { value in
            choices.first { $0.word == value }?.value
        } set: {
            $0[keyPath: field] = $1
        }
        result.words = words
        return result
    }

    /// A value with a form of its own.
    ///
    /// - Parameters:
    ///   - demand: What the error says of the value.
    ///   - isSecret: Whether the error must not quote the value.
    ///   - parse: Returns `nil` for an invalid value.
    static func parsed<Value>(
        _ placeholder: String, _ demand: String, isSecret: Bool = false,
        parse: @escaping @Sendable (String) -> Value?, set: @escaping @Sendable (inout Options, Value) -> Void
    ) -> OptionValue {
        OptionValue(placeholder: placeholder) { options, value, option throws(UsageError) in
            guard let parsed = parse(value) else {
                throw UsageError("\(option) \(demand)" + (isSecret ? "" : "; got “\(value)”"))
            }
            set(&options, parsed)
        }
    }

    /// The same value, which may also be left out.
    func optional(_ set: @escaping @Sendable (inout Options) -> Void) -> OptionValue {
        var result = OptionValue(placeholder: placeholder, words: words) { options, value, option throws(UsageError) in
            if value.isEmpty { set(&options) } else { try apply(&options, value, option) }
        }
        result.isOptional = true
        return result
    }
}

// MARK: Forms of values

extension OptionValue {
    /// Parses a rate in bytes per second: `500K`, `2M`, `1.5G`, `100000`.
    static func rate(_ value: String) -> Int? {
        let units: [Character: Double] = [
            "k": 0x1p10, "K": 0x1p10, "m": 0x1p20, "M": 0x1p20, "g": 0x1p30, "G": 0x1p30,
        ]
        guard let rate = scaled(value, by: units), (1..<0x1p62).contains(rate) else { return nil }
        return Int(rate)
    }

    /// Parses a time up to a year: `90` or `90s`, `30m`, `2h`, `1.5d`.
    static func time(_ value: String) -> Duration? {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let seconds = scaled(value, by: units), (0.001...366 * 86_400).contains(seconds) else { return nil }
        return .seconds(seconds)
    }

    /// Parses a number that a unit may follow.
    private static func scaled(_ value: String, by units: [Character: Double]) -> Double? {
        let unit = value.last.flatMap { units[$0] }
        return Double(unit == nil ? Substring(value) : value.dropLast()).map { $0 * (unit ?? 1) }
    }

    /// Parses a number of requests in a time: `60/m`, `5/s`, `2500/5m`.
    static func requestRate(_ value: String) -> RequestRate? {
        let parts = value.split(separator: "/", omittingEmptySubsequences: false)
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
        guard parts.count == 2, let count = Int(parts[0]), count > 0, let unit = parts[1].last.flatMap({ units[$0] }),
            let number = parts[1].count == 1 ? 1 : Int(parts[1].dropLast()), (1...100_000).contains(number)
        else { return nil }
        return RequestRate(count, per: .seconds(Double(number) * unit))
    }

    /// Checks a media type without parameters, such as `application/zip`, or a range such as `image/*`.
    static func mediaType(_ value: String) -> String? {
        let isType = value.wholeMatch(of: /[A-Za-z0-9!#$%&'+.^_`|~\-]+\/(\*|[A-Za-z0-9!#$%&'+.^_`|~\-]+)/) != nil
        return isType || value == "*/*" ? value : nil
    }

    /// Parses `K/N`, with K from 1 to N.
    static func shard(_ value: String) -> Options.Shard? {
        let numbers = value.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard numbers.count == 2, numbers[1] > 0, (1...numbers[1]).contains(numbers[0]) else { return nil }
        return Options.Shard(number: numbers[0], count: numbers[1])
    }

    /// Parses the URL of a proxy, with `http` as the default scheme, as in curl. `nil` without a host or with a scheme
    /// that is not a proxy's.
    static func proxy(_ text: String) -> URL? {
        let schemes: Set = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
        guard let url = URL(string: text.index(afterBytesOf: "://") != nil ? text : "http://\(text)"),
            schemes.contains(url.scheme?.lowercased() ?? ""), url.host()?.isEmpty == false,
            // If there is an @ but no user, an unescaped slash in the password has ended the host early.
            text.contains(byte: "@") == (url.user != nil)
        else { return nil }
        return url
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
        let fits = digits.utf8.count == checksum.digitCount && digits.utf8.allSatisfy(\.isHexadecimal)
        return fits ? checksum : nil
    }

    /// A description of the values that ``checksum(_:)`` accepts.
    static let checksumForms = "sha256: with 64 hexadecimal digits, sha512: with 128, sha1: with 40 or md5: with 32"
}
