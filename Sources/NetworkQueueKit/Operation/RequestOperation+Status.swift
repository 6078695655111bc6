extension RequestOperation {
    /// Where an operation stands.
    ///
    ///     waiting ─→ running ─→ finished
    ///        │       │  ↑ ├──→ failed
    ///        │       ↓  │ │
    ///        │     retrying
    ///        └──────────┴─┴──→ cancelled
    public enum Status: Sendable, Hashable {
        /// Not started yet.
        case waiting
        /// Started, with an exchange under way.
        case running
        /// Started, and waiting for the time or the slot for another attempt.
        case retrying
        /// Ended with a result.
        case finished
        /// Ended with an error that is not a cancellation.
        case failed
        /// Ended by a cancellation.
        case cancelled

        init(_ outcome: RequestResult.Outcome) {
            switch outcome {
            case .finished: self = .finished
            case .failed: self = .failed
            case .cancelled: self = .cancelled
            }
        }

        /// Whether the operation has ended.
        public var isTerminal: Bool {
            switch self {
            case .waiting, .running, .retrying: false
            case .finished, .failed, .cancelled: true
            }
        }
    }
}
