import NetworkQueueKit

/// Which lines a log gets where there is no terminal: the size of the job, a line every few seconds, and the end.
public struct PlainLog: Sendable {
    /// The time between two lines.
    public static let interval = Duration.seconds(5)

    private let charset: Canvas.Charset
    private var latest: Duration?

    /// Creates a log whose lines use `charset`.
    public init(charset: Canvas.Charset) {
        self.charset = charset
    }

    /// The first line, such as `Downloading 40 files`.
    public mutating func begin(title: String, now: Duration) -> String {
        latest = now
        return title
    }

    /// A line about `model` if one is due at `now`, which is a time since any fixed moment.
    public mutating func line(for model: DashboardModel, now: Duration) -> String? {
        guard model.progress.phase != .finished, let latest, now - latest >= Self.interval else { return nil }
        self.latest = now
        return model.logLine(charset: charset)
    }

    /// The last line.
    public func end(_ model: DashboardModel) -> String {
        model.logLine(charset: charset)
    }
}
