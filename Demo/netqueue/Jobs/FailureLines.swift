import NetworkQueueKit

/// Prints failures, one line each, up to a limit; beyond it, prints only their number at the end.
final class FailureLines: Sendable {
    /// About a screenful; nobody reads more, and the summary has the reasons of the others.
    static let limit = 20

    private let display: any ProgressDisplay
    let limit: Int
    private let state = Locked(State())

    private struct State {
        var count = 0
        /// The reasons of which one line tells for all.
        var told: Set<ByteText> = []
    }

    /// - Parameter limit: The number of failures after which they are only counted.
    init(display: any ProgressDisplay, limit: Int = FailureLines.limit) {
        self.display = display
        self.limit = limit
    }

    func tell(_ failure: JobFailure) {
        let isTold = state.withLock { state in
            if failure.isToldOnce, !state.told.insert(ByteText(failure.reason)).inserted { return false }
            state.count += 1
            return state.count <= limit
        }
        if isTold { display.log(failure.line) }
    }

    /// Prints the number of failures beyond the limit.
    func end() {
        let rest = state.withLock { state in
            defer { state.count = min(state.count, limit) }
            return state.count - limit
        }
        if rest > 0 {
            display.log(JobFailure.line("\(rest.counted("more failure")); use -v to show all"))
        }
    }
}
