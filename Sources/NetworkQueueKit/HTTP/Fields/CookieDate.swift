import Foundation

/// Dates of cookies, which servers write in many ways (RFC 6265, section 5.1.1).
///
/// A text is taken apart at what is not part of a date. The first part that looks like a time of day is that, the first
/// of the others that begins with one or two digits the day, then come a month by its name and a year, in any order.
enum CookieDate {
    /// No date is longer, and a server may send far more.
    private static let maximumLength = 256

    /// The moment that the bytes name; `nil` when they name none.
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

    /// The seconds since midnight of `8:49:37` or `08:49:37`, whatever follows behind them but a digit.
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

    /// The number that a token begins with, if it has so many digits and nothing else follows where it must be whole.
    private static func number(
        _ token: some Collection<UInt8>, digits: ClosedRange<Int>, isWhole: Bool = false
    ) -> Int? {
        let leading = token.prefix { $0.isDigit }
        guard digits.contains(leading.count), !isWhole || leading.count == token.count else { return nil }
        return leading.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}
