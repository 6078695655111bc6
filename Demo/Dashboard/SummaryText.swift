import NetworkQueueKit

/// What is to be said about a run when it is over.
public enum SummaryText {
    /// `40 files, 3.4 GiB in 51.2 s (68.1 MiB/s)`, with the number of all files where not all have arrived.
    public static func line(_ summary: NetworkQueue.Summary) -> String {
        let counts = summary.counts
        return line(counts: counts, bytes: summary.bytesReceived, duration: summary.duration)
    }

    /// The same from single numbers, in so many columns if need be: without the rate, then without the duration, and
    /// then without the bytes. `remark` stands behind it.
    public static func line(
        counts: NetworkQueue.Progress.Counts, bytes: Int64, duration: Duration, remark: String = "",
        columns: Int = .max
    ) -> String {
        let number = counts.finished == counts.total ? "\(counts.total)" : "\(counts.finished) of \(counts.total)"
        let files = "\(number) \(counts.total == 1 ? "file" : "files")"
        let seconds = duration / .seconds(1)
        let parts = [
            ", \(ByteCount.text(bytes))", " in \(TimeText.elapsed(duration))",
            bytes > 0 && seconds > 0 ? " (\(ByteCount.rate(Double(bytes) / seconds)))" : "",
        ]
        let lines = (0...parts.count).reversed().map { files + parts.prefix($0).joined() + remark }
        return lines.first { $0.displayColumns <= columns } ?? files + remark
    }
}
