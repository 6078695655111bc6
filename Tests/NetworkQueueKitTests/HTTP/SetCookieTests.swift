import Foundation
import Testing

@testable import NetworkQueueKit

struct SetCookieTests {
    @Test func `A Set-Cookie field gives name, value and attributes, whatever their case and white space`() throws {
        let cookie = try #require(
            SetCookie(
                " id = a=b\"c,d ; PATH = /x ; Domain=.Host.Test;secure;HttpOnly ; Max-Age = 5; Expires=06 Nov 1994 08:49:37"
            ))
        #expect(cookie.name == "id" && cookie.value == "a=b\"c,d")
        #expect(cookie.path == "/x" && cookie.domain == "host.test" && cookie.maximumAge == 5)
        #expect(cookie.isSecure && cookie.isHTTPOnly)
        #expect(cookie.expires == Date(timeIntervalSince1970: 784_111_777))
    }

    @Test func `A Set-Cookie field gives the last of two equal attributes, and none that makes no sense`() throws {
        let cookie = try #require(
            SetCookie(
                "a=1; Path=/x; Path=y; Domain=a.test; Domain=; Max-Age=x; Max-Age=; Expires=never; Secure=no; Foo=bar"))
        #expect(cookie.path == nil && cookie.domain == nil && cookie.maximumAge == nil && cookie.expires == nil)
        #expect(cookie.isSecure && !cookie.isHTTPOnly)
    }

    @Test(arguments: ["-1", "-99999999999999999999999", "0", "-0"])
    func `A Max-Age of zero or less is read as zero`(age: String) throws {
        #expect(try #require(SetCookie("a=1; Max-Age=\(age)")).maximumAge == 0)
    }

    @Test func `A Max-Age beyond any number is read as the greatest number`() throws {
        #expect(try #require(SetCookie("a=1; Max-Age=99999999999999999999999")).maximumAge == .max)
    }

    @Test func `A Set-Cookie field without an equals sign has no name, and a comma splits nothing`() throws {
        let nameless = try #require(SetCookie("value; Path=/"))
        #expect(nameless.name == "" && nameless.value == "value")
        let one = try #require(SetCookie("a=1, b=2; Path=/, c=3"))
        #expect(one.name == "a" && one.value == "1, b=2" && one.path == "/, c=3")
    }

    @Test(arguments: ["", ";", "=", " = ; Path=/", "a=1\u{0}2", "a=1\r2", "a=1; Path=/\u{7F}"])
    func `A Set-Cookie field without name and value, or with a control character, is ignored`(field: String) {
        #expect(SetCookie(field) == nil)
    }

    @Test func `A Set-Cookie field may have accents anywhere`() throws {
        let cookie = try #require(
            SetCookie(
                "a=; \u{E9}p=;expires=Sun, 06 Nov 1994 08:49:37 GMT\u{E9}; domain=\u{E9}x;path=/\u{E9};\u{E9}"))
        #expect(cookie.name == "a" && cookie.value == "" && cookie.path == "/\u{E9}")
        #expect(cookie.domain == "\u{E9}x")
    }

    // MARK: Its dates

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
