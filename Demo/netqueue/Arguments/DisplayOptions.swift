/// The options that control the output.
struct DisplayOptions: Hashable, Sendable {
    /// When to show progress.
    enum Mode: String, CaseIterable, Sendable {
        /// A bar on a terminal, otherwise a line every few seconds.
        case auto
        /// Always a bar.
        case always
        /// No progress.
        case never
    }

    var mode = Mode.auto
    var isQuiet = false
    /// Whether to print a line for each event to the standard error.
    var isVerbose = false
    /// Whether to print each event to the standard output as JSON, in place of the summary.
    var writesJSON = false
    /// How often a line of JSON tells the progress.
    var progressInterval = Duration.seconds(1)

    /// Applies an option.
    mutating func take(_ option: Option, _ value: String) throws(UsageError) {
        switch option {
        case .quiet: isQuiet = true
        case .verbose: isVerbose = true
        case .json: writesJSON = true
        case .progressInterval:
            progressInterval = .seconds(try OptionValue.seconds(value, of: option, in: 0.1...86_400))
        case .progress:
            guard let mode = Mode(rawValue: value) else {
                throw UsageError("--progress must be auto, always or never; got “\(value)”")
            }
            self.mode = mode
        default: break
        }
    }
}
