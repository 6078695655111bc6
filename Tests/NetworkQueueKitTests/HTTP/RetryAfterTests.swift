import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

struct RetryAfterTests {
    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    private let date = Date(timeIntervalSince1970: 784_111_777)

    private func delay(_ text: String, _ more: HTTPHeaders.Field? = nil, before seconds: TimeInterval = 100)
        -> Duration?
    {
        var headers: HTTPHeaders = ["Retry-After": text]
        if let more { headers.append(name: more.name, value: more.value) }
        let head = ResponseHead(statusCode: 503, headers: headers, url: .test("a"))
        return RetryAfter.delay(in: head, now: date.addingTimeInterval(-seconds))
    }

    @Test(arguments: [("0", 0), ("1", 1), ("120", 120), (" 7 ", 7), ("007", 7)])
    func `A number in Retry-After means seconds`(text: String, seconds: Int) {
        #expect(delay(text) == .seconds(seconds))
    }

    @Test(
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ])
    func `A date in any of HTTP's three forms means the time until then`(text: String) {
        #expect(delay(text) == .seconds(100))
        #expect(delay(text, before: -5) == .zero)
    }

    @Test func `A date in Retry-After is measured from the server's Date, if it has a valid one`() {
        let field = HTTPHeaders.Field(name: "Date", value: "Sun, 06 Nov 1994 08:49:00 GMT")
        #expect(delay("Sun, 06 Nov 1994 08:49:37 GMT", field) == .seconds(37))
        let garbage = HTTPHeaders.Field(name: "Date", value: "today")
        #expect(delay("Sun, 06 Nov 1994 08:49:37 GMT", garbage) == .seconds(100))
    }

    @Test(arguments: ["", "soon", "-5", "1.5", "1e3", "0x10", "٣", "5 seconds", "Sun, 32 Nov 1994 08:49:37 GMT"])
    func `Anything but a number or a date means nothing in Retry-After`(text: String) {
        #expect(delay(text) == nil)
    }

    @Test(arguments: ["99999999999999999999999999", "9223372036854775807", "1000000001"])
    func `A number beyond all measure means a very long time and does not overflow`(text: String) {
        #expect(delay(text) == .seconds(1_000_000_000))
        #expect(delay("Sun, 06 Nov 9994 08:49:37 GMT") == .seconds(1_000_000_000))
    }

    @Test func `A delay is cut to the policy's maximum, and ignored if the policy does not honor Retry-After`() {
        var policy = RetryPolicy(maxRetries: 1, backoff: .constant(.seconds(1)))
        #expect(policy.obeyed(.seconds(299)) == .seconds(299))
        #expect(policy.obeyed(.seconds(1_000_000_000)) == .seconds(300))
        #expect(policy.obeyed(.zero) == .zero)
        #expect(policy.obeyed(nil) == nil)
        policy.maxRetryAfter = .seconds(-1)
        #expect(policy.obeyed(.seconds(5)) == .zero)
        policy.honorsRetryAfter = false
        #expect(policy.obeyed(.seconds(5)) == nil)
    }
}
