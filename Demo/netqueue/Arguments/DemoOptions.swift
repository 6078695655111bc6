/// The options of `netqueue demo`.
struct DemoOptions: Hashable, Sendable {
    var files = 240
    /// The approximate duration of the transfers; 0 means unlimited speed.
    var seconds = 10.0
    var jobs = 6
    var usesSizing = true
    var display = DisplayOptions()
}

extension DemoOptions {
    /// Reads a command line.
    init(tokens: [ArgumentScanner.Token]) throws(UsageError) {
        for token in tokens {
            switch token {
            case .operand(let operand): throw UsageError("unexpected argument “\(operand)”")
            case .option(let option, let value):
                try option.check(for: .demo)
                try take(option, value)
            }
        }
    }

    private mutating func take(_ option: Option, _ value: String) throws(UsageError) {
        switch option {
        case .files: files = try OptionValue.number(value, of: .files, in: 1...100_000)
        case .seconds: seconds = try OptionValue.seconds(value, of: .seconds)
        case .jobs: jobs = try OptionValue.number(value, of: .jobs, in: 1...1000)
        case .sizing: usesSizing = false
        default: try display.take(option, value)
        }
    }
}
