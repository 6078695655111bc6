/// What a command line asks for.
enum Invocation: Hashable {
    case help
    case version
    case download(DownloadOptions)
    case demo(DemoOptions)

    /// Reads a command line, without the program's name. `--help` wins over all, `--version` over all else.
    init(arguments: [String]) throws(UsageError) {
        let tokens = try ArgumentScanner.tokens(of: arguments)
        if tokens.contains(.option(.help, value: "")) {
            self = .help
        } else if tokens.contains(.option(.version, value: "")) {
            self = .version
        } else if case .operand("demo")? = tokens.first(where: \.isOperand) {
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

extension DownloadOptions {
    fileprivate init(tokens: [ArgumentScanner.Token]) throws(UsageError) {
        for token in tokens {
            switch token {
            case .operand(let url): urls.append(url)
            case .option(.output, let value): folder = try OptionValue.text(value, of: .output)
            case .option(.input, let value): lists.append(try OptionValue.text(value, of: .input))
            case .option(.jobs, let value): jobs = try OptionValue.number(value, of: .jobs, in: 1...1000)
            case .option(.checkers, let value): checkers = try OptionValue.number(value, of: .checkers, in: 1...1000)
            case .option(.overwrite, _): overwrites = true
            case .option(.retries, let value): retries = try OptionValue.number(value, of: .retries, in: 0...1000)
            case .option(.retryDelay, let value): retryDelay = try OptionValue.seconds(value, of: .retryDelay)
            case .option(.sizing, _): usesSizing = false
            case .option(.files, _), .option(.seconds, _):
                throw UsageError("--files and --seconds belong to “netqueue demo”")
            case .option(let option, let value): try display.set(option, value)
            }
        }
        if urls.isEmpty, lists.isEmpty { throw UsageError("no URL to download") }
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
            case .option(.files, let value): files = try OptionValue.number(value, of: .files, in: 1...100_000)
            case .option(.seconds, let value): seconds = try OptionValue.seconds(value, of: .seconds)
            case .option(.jobs, let value): jobs = try OptionValue.number(value, of: .jobs, in: 1...1000)
            case .option(.sizing, _): usesSizing = false
            case .option(let option, _)
            where [.output, .checkers, .input, .overwrite, .retries, .retryDelay].contains(option):
                throw UsageError("“netqueue demo” takes no --\(option.long)")
            case .option(let option, let value): try display.set(option, value)
            }
        }
    }
}

extension DisplayOptions {
    fileprivate mutating func set(_ option: Option, _ value: String) throws(UsageError) {
        if option == .quiet { isQuiet = true }
        guard option == .progress else { return }
        guard let mode = Mode(rawValue: value) else {
            let names = Mode.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--progress is one of \(names), not “\(value)”")
        }
        self.mode = mode
    }
}
