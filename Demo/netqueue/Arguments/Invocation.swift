/// What a command line asks for.
enum Invocation: Hashable {
    case help(HelpText.Topic)
    case version
    case download(DownloadOptions)
    case demo(DemoOptions)

    /// Reads a command line, without the program's name. `--help` wins over all, `--version` over all else.
    init(arguments: [String]) throws(UsageError) {
        let tokens = try ArgumentScanner.tokens(of: arguments)
        let isDemo = tokens.first(where: \.isOperand) == .operand("demo")
        if tokens.contains(.option(.help, value: "")) {
            self = .help(isDemo ? .demo : .download)
        } else if tokens.contains(.option(.version, value: "")) {
            self = .version
        } else if isDemo {
            self = .demo(try DemoOptions(tokens: tokens))
        } else {
            self = .download(try DownloadOptions(tokens: tokens))
        }
    }
}

extension ArgumentScanner.Token {
    fileprivate var isOperand: Bool {
        if case .operand = self { true } else { false }
    }
}

extension DemoOptions {
    fileprivate init(tokens: [ArgumentScanner.Token]) throws(UsageError) {
        var operands = 0
        for token in tokens {
            switch token {
            case .operand(let operand):
                operands += 1
                if operands > 1 { throw UsageError("“netqueue demo” takes no “\(operand)”") }
            case .option(let option, let value): try take(option, value)
            }
        }
    }

    private mutating func take(_ option: Option, _ value: String) throws(UsageError) {
        guard option.isForDemo else { throw UsageError("“netqueue demo” takes no --\(option.long)") }
        switch option {
        case .files: files = try OptionValue.number(value, of: .files, in: 1...100_000)
        case .seconds: seconds = try OptionValue.seconds(value, of: .seconds)
        case .jobs: jobs = try OptionValue.number(value, of: .jobs, in: 1...1000)
        case .sizing: usesSizing = false
        default: try display.take(option, value)
        }
    }
}

extension DisplayOptions {
    mutating func take(_ option: Option, _ value: String) throws(UsageError) {
        if option == .quiet { isQuiet = true }
        guard option == .progress else { return }
        guard let mode = Mode(rawValue: value) else {
            let names = Mode.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--progress is one of \(names), not “\(value)”")
        }
        self.mode = mode
    }
}
