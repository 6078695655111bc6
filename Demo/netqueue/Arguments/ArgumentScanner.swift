import NetworkQueueKit

/// Splits a command line into options and operands by the conventions of POSIX and GNU.
///
/// Accepts `-j4`, `-j 4`, `-qj4`, `--jobs=4` and `--jobs 4`, with options and operands in any order. `--` ends the
/// options, and a single `-` is an operand.
struct ArgumentScanner {
    /// The options in order. An option without a value has an empty value.
    private(set) var options: [(option: Option, value: String)] = []
    private(set) var operands: [String] = []
    private var rest: ArraySlice<String>

    init(_ arguments: [String]) throws(UsageError) {
        rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                operands += rest
                return
            } else if argument.starts(withBytesOf: "--") {
                try scanLong(argument)
            } else if argument.starts(withBytesOf: "-"), argument != "-" {
                try scanShort(Substring(argument.unicodeScalars.dropFirst()))
            } else {
                operands.append(argument)
            }
        }
    }

    private mutating func scanLong(_ argument: String) throws(UsageError) {
        let parts = Substring(argument.utf8.dropFirst(2)).parts(separatedBy: "=", maxSplits: 1)
        let option = try Option.named(parts[0])
        if parts.count == 2, option.value.placeholder == nil {
            throw UsageError("option “--\(option.long)” takes no value")
        }
        try add(option, parts.count == 2 ? String(parts[1]) : nil, as: "--\(option.long)")
    }

    private mutating func scanShort(_ letters: Substring) throws(UsageError) {
        var letters = letters
        while let letter = letters.unicodeScalars.popFirst() {
            let option = try Option.named(Character(letter))
            var value: String?
            if option.value.isRequired, !letters.isEmpty { (value, letters) = (String(letters), "") }
            try add(option, value, as: "-\(letter)")
        }
    }

    /// Adds an option, whose value may be the next argument.
    private mutating func add(_ option: Option, _ value: String?, as spelling: String) throws(UsageError) {
        guard let value = value ?? (option.value.isRequired ? rest.popFirst() : "") else {
            throw UsageError("option “\(spelling)” requires a value")
        }
        options.append((option, value))
    }
}
