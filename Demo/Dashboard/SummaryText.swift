import NetworkQueueKit

/// What is to be said about a run when it is over.
public enum SummaryText {
    /// `40 files, 3.4 GiB in 51.2 s (68.1 MiB/s)`, with the number of all files where not all have arrived.
    public static func line(_ summary: NetworkQueue.Summary) -> String {
        let counts = summary.counts
        return line(counts: counts, bytes: summary.bytesReceived, duration: summary.duration)
    }

    /// The same from single numbers.
    public static func line(counts: NetworkQueue.Progress.Counts, bytes: Int64, duration: Duration) -> String {
        let number = counts.finished == counts.total ? "\(counts.total)" : "\(counts.finished) of \(counts.total)"
        var line = "\(number) \(counts.total == 1 ? "file" : "files"), \(ByteCount.text(bytes))"
        line += " in \(TimeText.elapsed(duration))"
        let seconds = duration / .seconds(1)
        if bytes > 0, seconds > 0 { line += " (\(ByteCount.rate(Double(bytes) / seconds)))" }
        return line
    }
}
