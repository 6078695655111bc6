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
}
