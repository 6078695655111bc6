import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

struct HTTPDateTests {
    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    private let date = Date(timeIntervalSince1970: 784_111_777)

    @Test(arguments: [UInt64.random(in: 0...UInt64.max)])
    func `An HTTP date that Foundation's formatter has written is read as the same date`(seed: UInt64) {
        print("seed \(seed)")
        var random = SplitMix64(seed: seed)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE',' dd MMM yyyy HH':'mm':'ss 'GMT'"
        // From 1901 to 2099, with every kind of leap year in between.
        for _ in 0..<300 {
            let date = Date(
                timeIntervalSince1970: TimeInterval(Int.random(in: -2_177_452_800...4_070_908_799, using: &random)))
            #expect(HTTPDate.fixdate(from: formatter.string(from: date)) == date)
        }
        #expect(HTTPDate.fixdate(from: "Tue, 29 Feb 2000 23:59:59 GMT") == Date(timeIntervalSince1970: 951_868_799))
    }

    @Test(
        arguments: ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])
    func `An HTTP date is understood in its three forms`(text: String) {
        #expect(HTTPDate.date(from: text) == date)
    }

    /// Forms that servers use, and that curl, wget and aria2 read.
    @Test(
        arguments: [
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 +0000",
            "Sun, 6-Nov-1994 09:49:37 +0100", "Sun, 06 Nov 1994 04:19:37 -0430", "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nov 1994 08:49:37 UT", "Sun, 06 Nov 1994 08:49:37 Z", "Sun, 6-Nov-1994 08:49:37 Z",
        ])
    func `An HTTP date is understood in the forms of common servers`(text: String) {
        #expect(HTTPDate.date(from: text) == date)
    }

    @Test(
        arguments: [
            "Sun, 6-Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 08:49:37 +00",
            "Sun, 06 Nov 1994 08:49:37 +0099", "Sun, 06 Nov 1994 08:49:37", "Sun, 006 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 EST", "Sun, 06 Nov 1994 08:49:37 CST", "Sun, 06 Nov 1994 08:49:37 GMT+1",
            "Sun, 06 Nov 1994 08:49:37 GMT+0100", "Sun, 06 Nov 1994 08:49:37 UTC-5", "Sun, 06 Nov 1994 08:49:37 Z1",
            "Sun Nov  6 08:49:37 CET 1994", "Sunday, 06-Nov-94 08:49:37 EST",
        ])
    func `An HTTP date in an unknown form is not guessed`(text: String) {
        #expect(HTTPDate.date(from: text) == nil)
    }

    @Test func `An HTTP date with a year of two digits is at most 50 years ahead`() {
        let now = Date(timeIntervalSince1970: 1_795_000_000)  // in 2026
        for (year, meant) in [("26", 2026), ("76", 2076), ("77", 1977), ("00", 2000), ("99", 1999)] {
            let found = HTTPDate.date(from: "Sunday, 06-Nov-\(year) 08:49:37 GMT", now: now)
            #expect(found == HTTPDate.date(from: "Sun, 06 Nov \(meant) 08:49:37 GMT"))
        }
    }

    @Test(arguments: ["\u{E9}", "\u{1100}\u{1161}", "\u{FFFD}", "\u{0}", " ", "\r\n", "x"])
    func `An HTTP date with other characters before, behind or inside it is nil`(extra: String) {
        for text in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            #expect(HTTPDate.date(from: text + extra) == nil)
            #expect(HTTPDate.date(from: extra + text) == nil)
            for index in text.indices where extra != " " {
                var changed = text
                changed.insert(contentsOf: extra, at: index)
                #expect(HTTPDate.date(from: changed) == nil)
            }
        }
    }

    @Test(
        arguments: [
            "Tue, 29 Feb 1900 00:00:00 GMT", "Sat, 31 Apr 1994 00:00:00 GMT", "Wed, 00 Jan 1994 00:00:00 GMT",
            "Sun Feb 29 08:49:37 1994", "Sun Nov 06 08:49:37 94", "Sunday, 06 Nov 1994 08:49:37 GMT",
            "Sun, 06-Nov-94 08:49:37 GMT", "Foo, 06 Nov 1994 08:49:37 GMT",
        ])
    func `An HTTP date is nil if the calendar or the form has no such day`(text: String) {
        #expect(HTTPDate.date(from: text) == nil)
    }

    @Test(
        arguments: [
            "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
        ])
    func `fixdate(from:) reads no form but the preferred one`(_ text: String) {
        #expect(HTTPDate.fixdate(from: text) == nil)
    }

    @Test func `An HTTP date is written in the preferred form, and read again`() {
        #expect(HTTPDate.text(Date(timeIntervalSince1970: 784_111_777.9)) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.text(Date(timeIntervalSince1970: 0)) == "Thu, 01 Jan 1970 00:00:00 GMT")
        for day in stride(from: -20_000, to: 60_000, by: 37) {
            let date = Date(timeIntervalSince1970: TimeInterval(day * 86_400 + day % 86_400))
            #expect(HTTPDate.fixdate(from: HTTPDate.text(date)) == date)
        }
    }
}
