import Foundation

/// Dates in the formats of HTTP (RFC 9110, section 5.6.7), parsed byte by byte.
enum HTTPDate {
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let shortDays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let longDays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    /// Returns the date in a text, or `nil` if there is none.
    ///
    /// It accepts the preferred format, the two obsolete formats that recipients must accept, and variants that common
    /// servers and clients use (a one-digit day, dashes, `+0000`).
    ///
    /// - Parameter now: the date that determines the century of a two-digit year.
    static func date(from text: String, now: Date = Date()) -> Date? {
        fixdate(from: text) ?? rfc850Date(from: text, now: now) ?? asctimeDate(from: text) ?? looseDate(from: text)
    }

    /// Returns the date in the preferred format, `Sun, 06 Nov 1994 08:49:37 GMT`, the only one that may be sent; `nil`
    /// for any other format.
    static func fixdate(from text: String) -> Date? {
        ByteScanner.scan(text) { scanner in
            guard isShortDay(scanner.take(while: \.isLetter)), scanner.skip(", "),
                let day = scanner.takeNumber(digits: 2), scanner.skip(" "),
                let month = month(scanner.take(while: \.isLetter)), scanner.skip(" "),
                let year = scanner.takeNumber(digits: 4), scanner.skip(" "), let time = takeTime(&scanner),
                scanner.skip(" GMT"), scanner.isAtEnd
            else { return nil }
            return date(year: year, month: month, day: day, time: time)
        }
    }

    /// Returns a date in the preferred format, rounded down to whole seconds. The format has no date outside the years
    /// 0 to 9999; the nearest one is returned.
    static func text(_ date: Date) -> String {
        let (first, last) = (-62_167_219_200.0, 253_402_300_799.0)
        var seconds = time_t(Double.maximum(first, .minimum(last, date.timeIntervalSince1970.rounded(.down))))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func digits(_ number: Int32, _ count: Int = 2) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        // `shortDays` starts on Monday, while day 0 of the system's week is Sunday.
        let day = shortDays[(Int(parts.tm_wday) + 6) % 7]
        let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits($0) }.joined(separator: ":")
        return
            "\(day), \(digits(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(digits(parts.tm_year + 1900, 4)) \(time) GMT"
    }

    /// Parses `Sunday, 06-Nov-94 08:49:37 GMT`. A year more than 50 years in the future means the most recent past year
    /// with the same last two digits.
    private static func rfc850Date(from text: String, now: Date) -> Date? {
        ByteScanner.scan(text) { scanner in
            guard isLongDay(scanner.take(while: \.isLetter)), scanner.skip(", "),
                let day = scanner.takeNumber(digits: 2), scanner.skip("-"),
                let month = month(scanner.take(while: \.isLetter)), scanner.skip("-"),
                let digits = scanner.takeNumber(digits: 2), scanner.skip(" "), let time = takeTime(&scanner),
                scanner.skip(" GMT"), scanner.isAtEnd
            else { return nil }
            let thisYear = 1970 + Int(now.timeIntervalSince1970 / 31_556_952)
            var year = thisYear - thisYear % 100 + digits
            if year > thisYear + 50 { year -= 100 }
            return date(year: year, month: month, day: day, time: time)
        }
    }

    /// Parses `Sun Nov  6 08:49:37 1994`.
    private static func asctimeDate(from text: String) -> Date? {
        ByteScanner.scan(text) { scanner in
            guard isShortDay(scanner.take(while: \.isLetter)), scanner.skip(" "),
                let month = month(scanner.take(while: \.isLetter)), scanner.skip(" "),
                let day = scanner.skip(" ") ? scanner.takeNumber(digits: 1) : scanner.takeNumber(digits: 2),
                scanner.skip(" "), let time = takeTime(&scanner), scanner.skip(" "),
                let year = scanner.takeNumber(digits: 4), scanner.isAtEnd
            else { return nil }
            return date(year: year, month: month, day: day, time: time)
        }
    }

    /// Parses `Sun, 6-Nov-1994 08:49:37 +0000`: the preferred format with a one-digit day, dashes or a numeric zone, as
    /// accepted by curl, wget and aria2.
    private static func looseDate(from text: String) -> Date? {
        ByteScanner.scan(text) { scanner in
            guard isShortDay(scanner.take(while: \.isLetter)), scanner.skip(", "),
                let day = scanner.takeNumber(digits: 2) ?? scanner.takeNumber(digits: 1), let separator = scanner.pop(),
                [UInt8(ascii: " "), UInt8(ascii: "-")].contains(separator),
                let month = month(scanner.take(while: \.isLetter)), scanner.skip(separator),
                let year = scanner.takeNumber(digits: 4), scanner.skip(" "), let time = takeTime(&scanner),
                scanner.skip(" "), let offset = takeOffset(&scanner), scanner.isAtEnd
            else { return nil }
            return date(year: year, month: month, day: day, time: time).map { $0 - offset }
        }
    }

    /// Parses `GMT`, `UTC`, `UT`, `Z` or an offset such as `+0130`, and returns the offset from UTC in seconds. Other
    /// zone names are ambiguous: `CST` is used in America and in China, and `GMT+1` with both signs.
    private static func takeOffset(_ scanner: inout ByteScanner) -> TimeInterval? {
        if ["GMT", "UTC", "UT", "Z"].contains(where: { scanner.skip($0) }) { return 0 }
        let isAhead = scanner.skip("+")
        guard isAhead || scanner.skip("-"), let number = scanner.takeNumber(digits: 4), number % 100 < 60 else {
            return nil
        }
        let offset = TimeInterval(number / 100 * 3600 + number % 100 * 60)
        return isAhead ? offset : -offset
    }

    /// Parses `08:49:37` into seconds since midnight. A leap second is accepted.
    private static func takeTime(_ scanner: inout ByteScanner) -> Int? {
        guard let hour = scanner.takeNumber(digits: 2), scanner.skip(":"), let minute = scanner.takeNumber(digits: 2),
            scanner.skip(":"), let second = scanner.takeNumber(digits: 2), hour < 24, minute < 60, second < 61
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private static func isShortDay(_ name: some Collection<UInt8>) -> Bool {
        code(of: name).map(dayCodes.contains) == true
    }

    private static func isLongDay(_ name: some Collection<UInt8>) -> Bool {
        longDays.contains { $0.utf8.elementsEqual(name) }
    }

    private static func month(_ name: some Collection<UInt8>) -> Int? {
        code(of: name).flatMap { monthCodes.firstIndex(of: $0) }.map { $0 + 1 }
    }

    /// The bytes of a name of three letters as one number, which is compared at once.
    private static func code(of name: some Collection<UInt8>) -> UInt32? {
        name.count == 3 ? name.reduce(0) { $0 << 8 | UInt32($1) } : nil
    }

    private static let monthCodes = months.compactMap { code(of: $0.utf8) }
    private static let dayCodes = shortDays.compactMap { code(of: $0.utf8) }

    /// Returns the date `time` seconds after midnight UTC; `nil` if the month, from 1 to 12, has no such day.
    static func date(year: Int, month: Int, day: Int, time: Int) -> Date? {
        guard day >= 1, day <= dayCount(ofMonth: month, year) else { return nil }
        return Date(timeIntervalSince1970: TimeInterval(days(year, month, day) * 86_400 + time))
    }

    private static func dayCount(ofMonth month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the days since 1970 in the Gregorian calendar. Years start in March here, so that a leap day is the last
    /// day.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}

/// The `Retry-After` field (RFC 9110, section 10.2.3): a number of seconds, or a date.
package enum RetryAfter {
    /// Returns how long to wait from `now` on; `nil` if the field is missing or malformed. For a past date, this is
    /// zero.
    package static func delay(in head: ResponseHead, now: Date = Date()) -> Duration? {
        guard let text = head.headers.values(for: "Retry-After").first else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) {
            // A number that is too large means the maximum; retry policies have their own limit.
            return .seconds(min(Int64(text) ?? .max, 1_000_000_000))
        }
        guard let date = HTTPDate.date(from: text, now: now) else { return nil }
        return .seconds(min(max(date.timeIntervalSince(Self.date(of: head, now: now)), 0), 1_000_000_000))
    }

    /// The time from which a response counts: the server's own `Date`, if present, because its clock may differ from
    /// ours.
    static func date(of head: ResponseHead, now: Date) -> Date {
        head.headers.values(for: "Date").first.flatMap { HTTPDate.date(from: $0, now: now) } ?? now
    }
}
