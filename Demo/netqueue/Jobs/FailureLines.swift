/// Tells of failures, a line each; of very many only how many more there are.
final class FailureLines: Sendable {
    /// A screen full: nobody reads more, and what the others are is in the summary.
    static let limit = 20

    private let display: any ProgressDisplay
    let limit: Int
    private let count = Locked(0)

    /// - Parameter limit: after so many, failures are only counted.
    init(display: any ProgressDisplay, limit: Int = FailureLines.limit) {
        self.display = display
        self.limit = limit
    }

    func tell(_ failure: JobFailure) {
        let isTold = count.withLock { count in
            count += 1
            return count <= limit
        }
        if isTold { display.log(failure.line) }
    }

    /// Tells how many there were beyond those that have been told of.
    func end() {
        let rest = count.withLock { count in
            defer { count = min(count, limit) }
            return count - limit
        }
        if rest > 0 {
            display.log(JobFailure.line("\(rest) more \(rest == 1 ? "failure" : "failures"), which -v shows"))
        }
    }
}
