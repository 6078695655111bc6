/// The parsed command line.
enum Invocation: Hashable {
    case help(Command)
    case version
    case run(Options)
    case completions(Shell)
    case man

    /// Parses a command line, without the program's name. `--help` takes precedence over everything, then `--version`.
    init(arguments: [String]) throws(UsageError) {
        let scanner = try ArgumentScanner(arguments)
        var command = Command.download
        var operands = scanner.operands
        if let named = operands.first.flatMap(Command.init), named != .download {
            command = named
            operands.removeFirst()
        }
        let given = Set(scanner.options.map(\.option.long))
        if given.contains("help") {
            self = .help(command)
        } else if given.contains("version") {
            self = .version
        } else if command == .completions {
            guard operands.count == 1, given.isEmpty, let shell = Shell(rawValue: operands[0]) else {
                throw UsageError("“netqueue completions” needs a shell: bash, zsh or fish")
            }
            self = .completions(shell)
        } else if command == .man {
            guard operands.isEmpty, given.isEmpty else {
                throw UsageError("“netqueue man” takes no arguments or options")
            }
            self = .man
        } else {
            var result = Options(command)
            result.operands = operands
            for (option, value) in scanner.options {
                try option.check(for: command)
                try option.value.apply(&result, value, "--\(option.long)")
            }
            try result.check(given)
            self = .run(result)
        }
    }
}
