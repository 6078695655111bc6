extension RequestOperation {
    /// Where an operation stands.
    ///
    ///     waiting ─→ running ─→ finished
    ///        │          ├────→ failed
    ///        └──────────┴────→ cancelled
    public enum Status: Sendable, Hashable {
        /// Not started yet.
        case waiting
        /// Started, with an exchange under way.
        case running
        /// Ended with a result.
        case finished
        /// Ended with an error that is not a cancellation.
        case failed
        /// Ended by a cancellation.
        case cancelled

        /// Whether the operation has ended.
        public var isTerminal: Bool {
            switch self {
            case .waiting, .running: false
            case .finished, .failed, .cancelled: true
            }
        }
    }
}
