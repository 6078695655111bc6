import NetworkQueueKit

/// Formats durations.
public enum TimeText {
    /// A remaining time in the style of a clock: `0:51`, `12:03`, `1:02:03`, `2d 3h`; `--` if it is unknown.
    public static func clock(_ duration: Duration?) -> String {
        guard let duration, duration >= .zero else { return "--" }
        // Round up, so that it never says 0:00 before the end.
        let seconds = duration.wholeSeconds
        let (minutes, hours) = (seconds / 60, seconds / 3600)
        if hours >= 24 { return "\(hours / 24)d \(hours % 24)h" }
        if hours >= 1 { return "\(hours):\(twoDigits(minutes % 60)):\(twoDigits(seconds % 60))" }
        return "\(minutes):\(twoDigits(seconds % 60))"
    }

    /// An elapsed time: `0.4 s`, `51.2 s`, `3 min 5 s`, `2 h 14 min`.
    public static func elapsed(_ duration: Duration) -> String {
        let tenths = Int64((max(0, duration.seconds) * 10).rounded())
        if tenths < 600 { return "\(tenths / 10).\(tenths % 10) s" }
        let seconds = tenths / 10
        if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
        return "\(seconds / 3600) h \(seconds / 60 % 60) min"
    }

    /// A delay: `0.5 s` or `2 s` below ten seconds, otherwise like ``countdown(_:)``.
    public static func delay(_ duration: Duration) -> String {
        let tenths = Int64((max(0, duration.seconds) * 10).rounded())
        guard tenths < 100, !tenths.isMultiple(of: 10) else { return countdown(.seconds((tenths + 9) / 10)) }
        return "\(tenths / 10).\(tenths % 10) s"
    }

    /// A time being counted down, in whole seconds, rounded up: `4 s`, `3 min 5 s`, `2 h 14 min`.
    public static func countdown(_ duration: Duration) -> String {
        let seconds = max(0, duration.wholeSeconds)
        return seconds < 60 ? "\(seconds) s" : elapsed(.seconds(seconds))
    }

    private static func twoDigits(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}

extension Duration {
    /// The duration in whole seconds, rounded up.
    fileprivate var wholeSeconds: Int64 {
        let parts = bounded.components
        return parts.seconds + (parts.attoseconds > 0 ? 1 : 0)
    }
}
