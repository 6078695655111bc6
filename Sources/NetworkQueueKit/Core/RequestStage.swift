/// What a request is for. Each stage has a limit of its own; where both may start, transfers go first.
enum RequestStage: Int, Sendable, CaseIterable {
    /// The real thing.
    case transfer
    /// Asks for the size of a transfer; starts also while the scheduler is gated.
    case sizing
}
