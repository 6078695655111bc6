import NetworkQueueKit

/// Texts about a finished run.
public enum SummaryText {
    /// A summary such as `40 files, 3.4 GiB in 51.2 s (68.1 MiB/s)`, followed by `remark`; `38 of 40 files` if some are
    /// missing. To fit into `columns`, it omits the rate, then the duration, then the bytes.
    public static func line(
        counts: NetworkQueue.Progress.Counts, bytes: Int64, duration: Duration, remark: String = "",
        columns: Int = .max
    ) -> String {
        let files = files(finished: counts.finished, total: counts.total)
        let seconds = duration / .seconds(1)
        let parts = [
            ", \(ByteCount.text(bytes))", " in \(TimeText.elapsed(duration))",
            bytes > 0 && seconds > 0 ? " (\(ByteCount.rate(Double(bytes) / seconds)))" : "",
        ]
        let lines = (0...parts.count).reversed().map { files + parts.prefix($0).joined() + remark }
        return lines.first { $0.displayColumns <= columns } ?? files + remark
    }

    /// The number of files, such as `40 files`; `38 of 40 files` if some files are missing.
    public static func files(finished: Int, total: Int) -> String {
        "\(finished == total ? "" : "\(finished) of ")\(total) \(total == 1 ? "file" : "files")"
    }
}
