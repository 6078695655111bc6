import Foundation
import Testing

@testable import NetworkQueueKit

struct JoinedCookieTests {
    private static let cases: [(String, [String])] = [
        ("a=1", ["a=1"]),
        ("a=1, b=2", ["a=1", "b=2"]),
        ("a=1,b=2", ["a=1", "b=2"]),
        (
            "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, b=2; Max-Age=3",
            ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/", "b=2; Max-Age=3"]
        ),
        ("a=1; expires=Wed, 21-Oct-26 07:28:00 GMT, b=2", ["a=1; expires=Wed, 21-Oct-26 07:28:00 GMT", "b=2"]),
        ("a=1, 2, c=3", ["a=1, 2", "c=3"]),
        ("a=\"x, y=z\"; Secure, b=2", ["a=\"x, y=z\"; Secure", "b=2"]),
        ("a=, b=", ["a=", "b="]),
        ("", [""]),
    ]

    @Test(arguments: cases)
    func `Joined Set-Cookie fields are separated`(joined: String, fields: [String]) {
        #expect(SetCookie.separated(joined) == fields)
    }

    @Test func `A response has each of its cookies`() throws {
        let response = try #require(
            AppleSession.response(200, ["Set-Cookie": "a=1; Path=/, b=2", "X-List": "a=1, b=2"]))
        let head = ResponseHead(response, url: AppleSession.url)
        #expect(head.headers.values(for: "Set-Cookie") == ["a=1; Path=/", "b=2"])
        #expect(head.headers.values(for: "X-List") == ["a=1, b=2"])
    }
}
