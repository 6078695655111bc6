import Foundation

/// A parser for the dates of cookies, which servers write in many forms (RFC 6265, section 5.1.1).
///
/// The text is split at characters that cannot be part of a date. The first part that looks like a time of day is the
/// time; of the others, the first with one or two leading digits is the day. A month name and a year follow in any
/// order.
enum CookieDate {
    /// Longer than any date; limits the work for long fields.
    private static let maximumLength = 256

    /// Returns the date in the bytes, or `nil` if there is none.
    static func date(from bytes: some Collection<UInt8>) -> Date? {
        guard bytes.count <= maximumLength else { return nil }
        var time: Int?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in bytes.split(whereSeparator: isDelimiter) {
            if time == nil, let found = timeOfDay(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = monthNumber(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found
            }
        }
        guard let time, let day, let month, var year else { return nil }
        if (70...99).contains(year) { year += 1900 } else if (0...69).contains(year) { year += 2000 }
        guard year >= 1601 else { return nil }
        return HTTPDate.date(year: year, month: month, day: day, time: time)
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// Returns the seconds since midnight for `8:49:37` or `08:49:37`, which anything but a digit may follow.
    private static func timeOfDay(_ token: some Collection<UInt8>) -> Int? {
        let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, let hour = number(fields[0], digits: 1...2, isWhole: true),
            let minute = number(fields[1], digits: 1...2, isWhole: true), let second = number(fields[2], digits: 1...2),
            hour < 24, minute < 60, second < 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private static func monthNumber(_ token: some Collection<UInt8>) -> Int? {
        let letters = token.prefix(3).map(\.lowercasedASCII)
        return HTTPDate.months.firstIndex { $0.utf8.map(\.lowercasedASCII) == letters }.map { $0 + 1 }
    }

    /// Returns the number at the start of a token if its count of digits is in the range and, with `isWhole`, nothing
    /// follows it.
    private static func number(
        _ token: some Collection<UInt8>, digits: ClosedRange<Int>, isWhole: Bool = false
    ) -> Int? {
        let leading = token.prefix { $0.isDigit }
        guard digits.contains(leading.count), !isWhole || leading.count == token.count else { return nil }
        return leading.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}
