import NetworkQueueKit

/// The output without a terminal: a first line about the job, a progress line every few seconds, and a last line.
public struct PlainLog: Sendable {
    /// The minimum time between two progress lines.
    public static let interval = Duration.seconds(5)

    private let charset: Canvas.Charset
    private var latest: Duration?

    /// Creates a log whose lines use `charset`.
    public init(charset: Canvas.Charset) {
        self.charset = charset
    }

    /// Starts the log and returns its first line, such as `Downloading 40 files`.
    public mutating func begin(title: String, now: Duration) -> String {
        latest = now
        return title
    }

    /// A progress line if one is due at `now`, which is measured from any fixed moment; otherwise `nil`.
    public mutating func line(for model: DashboardModel, now: Duration) -> String? {
        guard model.progress.phase != .finished, let latest, now - latest >= Self.interval else { return nil }
        self.latest = now
        return model.logLine(charset: charset)
    }

    /// The last line, with the final counts.
    public func end(_ model: DashboardModel) -> String {
        model.logLine(charset: charset)
    }
}
