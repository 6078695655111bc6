import Dashboard
import NetworkQueueKit

/// What came of a job.
struct JobReport: Sendable {
    var counts: NetworkQueue.Progress.Counts
    var bytes: Int64
    var duration: Duration
    var failures: [JobFailure]
    /// The signal that has cancelled the job, if one has.
    var signal: Int32?

    var exitCode: ExitCode {
        if let signal { return .signal(signal) }
        return failures.isEmpty && counts.finished == counts.total ? .success : .failure
    }

    /// Counts lines of lists that were no URLs as downloads that have failed.
    mutating func add(_ more: [JobFailure]) {
        failures = more + failures
        counts.failed += more.count
        counts.total += more.count
    }

    /// The summary, with the failures below it; `remark` is added to the first line.
    func text(remark: String = "") -> String {
        var text = signal == nil ? "" : "Cancelled: "
        text += SummaryText.line(counts: counts, bytes: bytes, duration: duration) + remark + "\n"
        if !failures.isEmpty { text += "\(failures.count) failed:\n" }
        for failure in failures { text += "  \(failure.text)\n" }
        return text
    }
}
