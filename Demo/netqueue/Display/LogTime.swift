import Foundation

/// The time at the beginning of each line of a log, if it is asked for.
struct LogTime: Sendable {
    var isShown = false

    static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt)

    /// The current time in UTC (RFC 3339).
    static var now: String { Date.now.formatted(style) }

    /// A line of a log, with the time before it.
    func line(_ text: String) -> String { isShown ? "\(Self.now) \(text)" : text }
}
