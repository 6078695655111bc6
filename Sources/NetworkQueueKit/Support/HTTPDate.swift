import Foundation

/// Dates as HTTP writes them (RFC 9110, section 5.6.7).
enum HTTPDate {
    /// The preferred form, and the two obsolete ones that must still be understood.
    private static let formats = [
        "EEE',' dd MMM yyyy HH':'mm':'ss 'GMT'", "EEEE',' dd'-'MMM'-'yy HH':'mm':'ss 'GMT'",
        "EEE MMM d HH':'mm':'ss yyyy",
    ]

    /// The moment that a text names; `nil` when it is no date.
    static func date(from text: String) -> Date? {
        // Rare enough that a new formatter each time does not matter; it is no type to share between threads.
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        for format in formats {
            formatter.dateFormat = format
            if let date = formatter.date(from: text) { return date }
        }
        return nil
    }
}
