import NetworkQueueKit

/// Splits a command line into options and operands by the conventions of POSIX and GNU.
///
/// Accepts `-j4`, `-j 4`, `-qj4`, `--jobs=4` and `--jobs 4`, with options and operands in any order. `--` ends the
/// options, and a single `-` is an operand.
struct ArgumentScanner {
    /// An option or operand of the command line.
    enum Token: Hashable {
        case option(Option, value: String)
        case operand(String)
    }

    private var rest: ArraySlice<String>
    private var tokens: [Token] = []

    /// The options and operands of `arguments`, in order. An option without a value has an empty value.
    static func tokens(of arguments: [String]) throws(UsageError) -> [Token] {
        var scanner = ArgumentScanner(rest: arguments[...])
        try scanner.scan()
        return scanner.tokens
    }

    private mutating func scan() throws(UsageError) {
        while let argument = rest.popFirst() {
            if argument == "--" {
                tokens += rest.map(Token.operand)
                return
            } else if argument.starts(withBytesOf: "--") {
                try scanLong(argument)
            } else if argument.starts(withBytesOf: "-"), argument != "-" {
                try scanShort(Substring(argument.unicodeScalars.dropFirst()))
            } else {
                tokens.append(.operand(argument))
            }
        }
    }

    private mutating func scanLong(_ argument: String) throws(UsageError) {
        let parts = Substring(argument.utf8.dropFirst(2)).parts(separatedBy: "=", maxSplits: 1)
        let name = parts[0]
        let option = try Option.named(name)
        if parts.count == 2 {
            guard option.takesValue || option.form.optionalValue != nil else {
                throw UsageError("option “--\(name)” takes no value")
            }
            tokens.append(.option(option, value: String(parts[1])))
        } else {
            tokens.append(.option(option, value: option.takesValue ? try value(for: "--\(name)") : ""))
        }
    }

    private mutating func scanShort(_ letters: Substring) throws(UsageError) {
        var letters = letters
        while let letter = letters.unicodeScalars.popFirst() {
            guard let option = Option.allCases.first(where: { $0.short == Character(letter) }) else {
                throw Option.unknown("-\(letter)", hint: nil)
            }
            guard option.takesValue else {
                tokens.append(.option(option, value: ""))
                continue
            }
            tokens.append(.option(option, value: letters.isEmpty ? try value(for: "-\(letter)") : String(letters)))
            return
        }
    }

    private mutating func value(for option: String) throws(UsageError) -> String {
        guard let value = rest.popFirst() else { throw UsageError("option “\(option)” requires a value") }
        return value
    }
}
