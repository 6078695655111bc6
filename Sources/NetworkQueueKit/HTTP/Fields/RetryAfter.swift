import Foundation

/// `Retry-After` (RFC 9110, section 10.2.3): a number of seconds, or a date.
enum RetryAfter {
    /// How long to wait from `now` on; `nil` when the field is missing or neither. A date that is past means no time.
    static func delay(in head: ResponseHead, now: Date = Date()) -> Duration? {
        guard let text = head.headers.values(for: "Retry-After").first else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) {
            // More digits than a number can have mean for ever; a retry policy has its own limit.
            return .seconds(min(Int64(text) ?? .max, 1_000_000_000))
        }
        guard let date = HTTPDate.date(from: text, now: now) else { return nil }
        // The server's own clock, where it tells, measures the distance better than ours.
        let origin = head.headers.values(for: "Date").first.flatMap { HTTPDate.date(from: $0, now: now) } ?? now
        return .seconds(min(max(date.timeIntervalSince(origin), 0), 1_000_000_000))
    }
}
