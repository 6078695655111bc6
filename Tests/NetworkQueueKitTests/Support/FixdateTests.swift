import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

struct FixdateTests {
    @Test("A date reads as the formatter reads it", arguments: [UInt64.random(in: 0...UInt64.max)])
    func sameAsFormatter(seed: UInt64) {
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
        "Anything else is none",
        arguments: [
            "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
        ])
    func others(_ text: String) {
        #expect(HTTPDate.fixdate(from: text) == nil)
    }
}
