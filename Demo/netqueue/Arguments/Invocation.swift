/// The parsed command line.
enum Invocation: Hashable {
    case help(Command)
    case version
    case download(DownloadOptions)
    case upload(UploadOptions)
    case sizes(SizesOptions)
    case clean(CleanOptions)
    case demo(DemoOptions)
    case completions(Shell)
    case man

    /// Parses a command line, without the program's name. `--help` takes precedence over everything, then `--version`.
    init(arguments: [String]) throws(UsageError) {
        var tokens = try ArgumentScanner.tokens(of: arguments)
        var command = Command.download
        if let place = tokens.firstIndex(where: \.isOperand), case .operand(let name) = tokens[place],
            let named = Command(rawValue: name), named != .download
        {
            command = named
            tokens.remove(at: place)
        }
        if tokens.contains(.option(.help, value: "")) {
            self = .help(command)
        } else if tokens.contains(.option(.version, value: "")) {
            self = .version
        } else {
            switch command {
            case .download: self = .download(try DownloadOptions(tokens: tokens))
            case .upload: self = .upload(try UploadOptions(tokens: tokens))
            case .sizes: self = .sizes(try SizesOptions(tokens: tokens))
            case .clean: self = .clean(try CleanOptions(tokens: tokens))
            case .demo: self = .demo(try DemoOptions(tokens: tokens))
            case .completions: self = .completions(try Shell(tokens: tokens))
            case .man:
                guard tokens.isEmpty else { throw UsageError("“netqueue man” takes no arguments or options") }
                self = .man
            }
        }
    }
}

extension ArgumentScanner.Token {
    fileprivate var isOperand: Bool {
        if case .operand = self { true } else { false }
    }
}
