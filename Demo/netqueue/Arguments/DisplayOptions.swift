/// How much the user wants to see.
struct DisplayOptions: Hashable, Sendable {
    /// When to show progress.
    enum Mode: String, CaseIterable, Sendable {
        /// A bar on a terminal, a line every few seconds elsewhere.
        case auto
        /// A bar in any case.
        case always
        /// Nothing.
        case never
    }

    var mode = Mode.auto
    var isQuiet = false
    /// Whether each event gets a line on the standard error.
    var isVerbose = false
    /// Whether each event is written to the standard output as JSON, in place of the summary.
    var writesJSON = false

    /// Takes an option.
    mutating func take(_ option: Option, _ value: String) throws(UsageError) {
        switch option {
        case .quiet: isQuiet = true
        case .verbose: isVerbose = true
        case .json: writesJSON = true
        case .progress:
            guard let mode = Mode(rawValue: value) else {
                let names = Mode.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("--progress is one of \(names), not “\(value)”")
            }
            self.mode = mode
        default: break
        }
    }
}
