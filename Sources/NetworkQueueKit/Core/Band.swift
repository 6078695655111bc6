/// One of the twelve classes of waiting requests. All of one band start before any of the next.
///
/// | order of start | 0 | 1 | 2 | 3 | 4 | 5 | 6 … 11 |
/// |---|---|---|---|---|---|---|---|
/// | stage | transfer | transfer | transfer | transfer | transfer | transfer | sizing, likewise |
/// | priority | high | high | normal | normal | low | low | |
/// | returning | yes | no | yes | no | yes | no | |
struct Band: Equatable, Sendable {
    static let count = RequestStage.allCases.count * perStage
    static let perStage = RequestPriority.allCases.count * 2

    /// Its place in the order of start.
    let rawValue: Int

    /// - Parameter isReturning: Whether the request has run before and waits to run again.
    init(stage: RequestStage, priority: RequestPriority, isReturning: Bool) {
        let urgency = RequestPriority.high.rawValue - priority.rawValue
        rawValue = stage.rawValue * Self.perStage + urgency * 2 + (isReturning ? 0 : 1)
    }

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    var isReturning: Bool { rawValue & 1 == 0 }
    var stage: RequestStage { rawValue < Self.perStage ? .transfer : .sizing }

    static var all: some Sequence<Band> {
        (0..<count).lazy.map { Band(rawValue: $0) }
    }
}

/// What a request is for. Each stage has a limit of its own; where both may start, transfers go first.
enum RequestStage: Int, Sendable, CaseIterable {
    /// Transfers what the user asked for.
    case transfer
    /// Asks for the size of a transfer; starts also while the scheduler is gated.
    case sizing
}

/// How urgent a request is. A higher one always starts before a lower one; questions for sizes come after all transfers.
public enum RequestPriority: Int, Comparable, Sendable, CaseIterable {
    /// After all others.
    case low
    /// The default.
    case normal
    /// Before all others.
    case high

    /// Whether `left` starts after `right`.
    public static func < (left: RequestPriority, right: RequestPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}
