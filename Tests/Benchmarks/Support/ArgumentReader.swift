/// Reads the options of a command one after the other.
struct ArgumentReader {
    private var rest: ArraySlice<String>
    private(set) var option = ""

    init(_ arguments: [String]) { rest = arguments[...] }

    /// Goes to the next option; `nil` after the last.
    mutating func next() -> String? {
        guard let next = rest.popFirst() else { return nil }
        option = next
        return next
    }

    /// What stands after the option.
    mutating func value() throws -> String {
        guard let value = rest.popFirst() else { throw BenchmarkFailure("\(option) needs a value") }
        return value
    }

    mutating func number() throws -> Int { try Self.number(try value()) }

    /// Numbers with commas between them.
    mutating func numbers() throws -> [Int] {
        try value().split(separator: ",").map { try Self.number(String($0)) }
    }

    /// The contenders named, with commas between them.
    mutating func contenders() throws -> [LineContender] {
        try value().split(separator: ",").map { name in
            guard let contender = LineContender(rawValue: String(name)) else {
                throw BenchmarkFailure("unknown contender \(name)")
            }
            return contender
        }
    }

    private static func number(_ text: String) throws -> Int {
        guard let number = Int(text), number > 0 else { throw BenchmarkFailure("not a number: \(text)") }
        return number
    }
}
