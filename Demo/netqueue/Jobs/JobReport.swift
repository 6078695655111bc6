import Dashboard
import NetworkQueueKit

/// The outcome of a job.
struct JobReport: Sendable {
    /// What has become of the items of a group.
    struct Group: Sendable {
        let name: String
        let total: Int
        let finished: Int
        /// The number of bytes that the finished items have transferred.
        let bytes: Int64
    }

    var counts = NetworkQueue.Progress.Counts()
    /// The number of bytes transferred over the network; for a comparison of files, the number of bytes read.
    var bytes: Int64 = 0
    var duration = Duration.zero
    /// The failures in the order they occurred.
    var failures: [JobFailure] = []
    /// The numbers of the failed and canceled items.
    var unfinished: [Int] = []
    /// The number of files that already existed and are up to date.
    var currentCount = 0
    /// Whether the disk was full, which ends a job.
    var isDiskFull = false
    /// The sizes of the parts that a later run can resume.
    var parts: [Int64] = []
    /// The sum of all sizes, if the job only determined sizes.
    var size: Int64?
    /// The number of files with neither a size nor a checksum to compare; `nil` if the job compares no files.
    var uncheckedCount: Int?
    /// The number of existing files that were skipped without a request.
    var skippedCount = 0
    /// The folders on disks that did not take all files.
    var unflushed: [String] = []
    /// The groups in the order of the list.
    var groups: [Group] = []
    /// Whether the job has ended before its work, because of `--stop-after`.
    var isStopped = false
    /// The signal that canceled the job, if any.
    var signal: Int32?

    /// The number of existing files that were kept, with or without a request.
    var keptCount: Int { currentCount + skippedCount }

    var exitCode: ExitCode {
        if let signal { return .signal(signal) }
        guard failures.isEmpty, !isDiskFull, unflushed.isEmpty else { return .failure }
        if isStopped { return .stopped }
        return counts.finished == counts.total ? .success : .failure
    }

    /// Counts invalid lines of lists as failed downloads.
    mutating func add(_ more: [JobFailure]) {
        failures = more + failures
        counts.add(.init(failed: more.count))
    }

    /// Replaces `count` items, which only appeared to be finished, by the outcome of another job.
    mutating func replace(_ count: Int, by other: JobReport) {
        counts.finished += other.counts.finished - count
        counts.failed += other.counts.failed
        counts.cancelled += other.counts.cancelled
        bytes = bytes.addingSaturated(other.bytes)
        duration += other.duration
        failures += other.failures
        signal = other.signal
    }

    /// Counts skipped files as finished.
    mutating func addSkipped(_ count: Int) {
        counts.add(.init(finished: count))
        skippedCount += count
    }

    /// The summary, followed by the reasons of failures. `remark` is added to the first line, which takes at most
    /// `columns`.
    func text(remark: String = "", columns: Int = TerminalSize.outputColumns) -> String {
        let start = signal != nil ? "Cancelled: " : isDiskFull || isStopped ? "Stopped: " : ""
        let there = keptCount > 0 ? ", \(keptCount) already there" : ""
        let line = SummaryText.line(
            counts: counts, bytes: hasContent ? bytes : 0, duration: duration, remark: there + remark,
            columns: columns - start.count)
        return (start + line + "\n" + groupsText(columns: columns) + partsText + failuresText).fitting(.current)
    }

    private static let mostGroups = 5

    /// A line for each of a few groups, first those that lack files.
    private func groupsText(columns: Int) -> String {
        let (whole, others) = (groups.filter { $0.finished == $0.total }, groups.filter { $0.finished < $0.total })
        var lines = (others + whole).prefix(Self.mostGroups).map { group in
            let files = SummaryText.files(finished: group.finished, total: group.total)
            let facts = ": " + files + (group.bytes > 0 ? ", \(ByteCount.text(group.bytes))" : "")
            let name = group.name.withoutControls().truncatedInTheMiddle(
                to: max(8, columns - 2 - facts.displayColumns), mark: "…")
            return "  \(name)\(facts)\n"
        }
        let rest = groups.count - lines.count
        if rest > 0 { lines.append("  +\(rest.counted("more group"))\n") }
        return lines.joined()
    }

    /// Whether there is something to show for the bytes. Otherwise those of failed transfers would look like content.
    private var hasContent: Bool {
        uncheckedCount != nil || counts.finished > keptCount || parts.contains { $0 > 0 }
    }

    private var partsText: String {
        let parts = parts.filter { $0 > 0 }
        guard !parts.isEmpty, exitCode != .success else { return "" }
        let kept = "\(parts.count.counted("partial download")) with \(ByteCount.text(parts.reduce(0, +)))"
        return "Kept \(kept); run the same command again to resume.\n"
    }

    /// Whether a failure calls for this advice.
    func advises(_ advice: JobFailure.Advice) -> Bool { failures.contains { $0.advice == advice } }

    private static let mostReasons = 5

    /// The number of failures and their reasons; empty if there are none.
    var failuresText: String {
        guard !failures.isEmpty else { return "" }
        var numbers: [String: Int] = [:]
        for failure in failures { numbers[failure.kind ?? failure.reason, default: 0] += 1 }
        let reasons = numbers.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        var text = "\(failures.count) failed: "
        text += reasons.prefix(Self.mostReasons).map { "\($0.value) × \($0.key.withoutControls())" }
            .joined(separator: ", ")
        if reasons.count > Self.mostReasons { text += " and \(reasons.count - Self.mostReasons) more reasons" }
        text += "\n"
        if advises(.existingFiles) {
            text +=
                "Existing files were not changed. Use --update to replace those that differ, --overwrite to download all, "
                + "--keep to skip existing files, or --rename to keep both.\n"
        }
        if advises(.sameNames) {
            text += "Use --rename to number files with the same name, or “out=” in a list to name one.\n"
        }
        return text
    }
}
