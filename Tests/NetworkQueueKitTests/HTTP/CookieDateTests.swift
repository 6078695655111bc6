import Foundation
import Testing

@testable import NetworkQueueKit

struct CookieDateTests {
    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    private let date = Date(timeIntervalSince1970: 784_111_777)

    @Test(
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "06 nov 94 8:49:37", "08:49:37 1994 november 6", "Sun, 06-NOV-1994 08:49:37 GMT+1", "6/Nov/1994;8:49:37x",
            "6 Sun 08:49:37 Nov 1994",
        ])
    func `A cookie's date is found in whatever order its parts stand`(text: String) {
        #expect(CookieDate.date(from: text.utf8) == date)
    }

    @Test(
        arguments: [
            "", "tomorrow", "06 Nov 1994", "Nov 1994 08:49:37", "06 1994 08:49:37", "31 Feb 1994 08:49:37",
            "06 Nov 1600 08:49:37", "06 Nov 1994 24:00:00", "06 Nov 1994 08:60:00", "06 Nov 1994 08:00:60",
            "06 Nov 1994 08:49", "00 Nov 1994 08:49:37", "32 Nov 1994 08:49:37", "06 Nov 19945 08:49:37",
            "06 Nov 1994 08:4\u{E9}9:37",
        ])
    func `A cookie's date is nil if a part is missing or wrong`(text: String) {
        #expect(CookieDate.date(from: text.utf8) == nil)
    }

    @Test func `A cookie's date with a year of two digits is between 1970 and 2069`() {
        for (digits, year) in [("70", 1970), ("99", 1999), ("00", 2000), ("69", 2069)] {
            #expect(
                CookieDate.date(from: "06 Nov \(digits) 08:49:37".utf8)
                    == CookieDate.date(from: "06 Nov \(year) 08:49:37".utf8))
        }
    }
}
