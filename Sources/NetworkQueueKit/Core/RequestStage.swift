/// What a request is for. Each stage has a limit of its own; where both may start, transfers go first.
enum RequestStage: Int, Sendable, CaseIterable {
    /// Transfers what the user asked for.
    case transfer
    /// Asks for the size of a transfer; starts also while the scheduler is gated.
    case sizing
}
