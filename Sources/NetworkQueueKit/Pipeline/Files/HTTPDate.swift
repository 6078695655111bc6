/// Dates in the one form that may be sent (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Seconds since 1970; `nil` for anything else than such a date.
    static func seconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 6, words[0].utf8.count == 4, words[0].hasSuffix(","), words[5] == "GMT",
            let day = number(words[1], digits: 2), (1...31).contains(day), let month = months.firstIndex(of: "\(words[2])"),
            let year = number(words[3], digits: 4)
        else { return nil }
        let clock = words[4].split(separator: ":", omittingEmptySubsequences: false).map { number($0, digits: 2) }
        guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2], hour < 24, minute < 60,
            second < 61
        else { return nil }
        return days(year: year, month: Int64(month + 1), day: day) * 86_400 + hour * 3600 + minute * 60 + second
    }

    private static func number(_ text: Substring, digits: Int) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }

    /// Days since 1970 in the Gregorian calendar. The year is taken to begin in March, so that a leap day is its last.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
