import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

struct RequestQuotaTests {
    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    private let date = Date(timeIntervalSince1970: 784_111_777)

    private func quota(_ headers: HTTPHeaders, status: Int = 200) -> RequestQuota? {
        RequestQuota(usedUpIn: ResponseHead(statusCode: status, headers: headers, url: .test("a")), now: date)
    }

    @Test(arguments: [
        (#""default";r=0;t=30"#, 30), ("burst;r=0;t=7", 7), (#""a";q=100;w=60;r=0;t=5;pk=:YWJj:"#, 5),
        (#""a";r=3;t=90, "b";r=0;t=4, "c";r=0;t=12"#, 12), (#""a\"b,c";r=0;t=8"#, 8), (#"  "a" ; r=0; t=9 "#, nil),
        (#""a"; r=0; t=9"#, 9), (#""a";r=9;r=0;t=6"#, 6), (#""a";r=0;t=999999999999999"#, 1_000_000_000),
    ])
    func `A RateLimit with an item of which nothing is left says how long to wait`(text: String, seconds: Int?) {
        #expect(quota(["RateLimit": text])?.delay == seconds.map { .seconds($0) })
    }

    @Test(arguments: [
        #""a";r=1;t=30"#, "limit=100, remaining=0, reset=5", #""a";r=0;t=30,"#, #""a;r=0;t=30"#, #""a";r=0 t=30"#, "0",
        #""a";R=0;t=30"#, #""a";r="0";t=30"#, #""a";r=0.0;t=30"#, #""a";r=-1;t=30"#, #""a";r;t=30"#, "", ";r=0;t=1",
        #""a";r=0;t=9223372036854775808"#, "(a);r=0;t=3", #""ä";r=0;t=3"#, #""a";r=0;t=3;"#,
    ])
    func `A RateLimit that is malformed, or of which something is left, means nothing`(text: String) {
        #expect(quota(["RateLimit": text]) == nil)
    }

    @Test func `The lines of a RateLimit field make one list`() {
        var headers: HTTPHeaders = ["ratelimit": #""a";r=0;t=3"#]
        headers.append(name: "RateLimit", value: #""b";r=0;t=5"#)
        #expect(quota(headers)?.delay == .seconds(5))
    }

    @Test func `A remaining number of 0 waits for the seconds of its own reset`() {
        #expect(quota(["RateLimit-Remaining": "0", "RateLimit-Reset": "30"])?.delay == .seconds(30))
        #expect(quota(["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30"])?.delay == .seconds(30))
        #expect(quota(["X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "30"]) == nil)
        #expect(quota(["RateLimit-Remaining": "none", "RateLimit-Reset": "30"]) == nil)
        for reset in ["", "soon", "-3", "0", "99999999999999999999"] {
            let quota = quota(["RateLimit-Remaining": "0", "RateLimit-Reset": reset])
            #expect(quota != nil && quota?.delay == nil)
        }
        let other = quota(["RateLimit-Remaining": "0", "X-RateLimit-Reset": "30"])
        #expect(other != nil && other?.delay == nil)
        let both = quota([
            "RateLimit": #""a";r=0;t=9"#, "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "4",
        ])
        #expect(both?.delay == .seconds(9))
    }

    @Test func `An X-RateLimit-Reset from 1,000,000,000 on is a Unix time, by the clock of the server`() {
        func reset(_ text: String, _ date: String? = nil) -> Duration? {
            var headers: HTTPHeaders = ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": text]
            if let date { headers["Date"] = date }
            return quota(headers)?.delay
        }
        #expect(reset("999999999") == .seconds(999_999_999))
        #expect(reset("1000000000", "Sun, 09 Sep 2001 01:46:30 GMT") == .seconds(10))
        #expect(reset("1700000000", "Tue, 14 Nov 2023 22:13:20 GMT") == nil)
        #expect(reset("1700000000", "Tue, 14 Nov 2023 22:14:00 GMT") == nil)
        // Without a Date, by ours.
        #expect(reset("1000000000") == .seconds(1_000_000_000 - 784_111_777))
        #expect(reset("9223372036854775807") == .seconds(1_000_000_000))
    }

    @Test func `A refusal for too many requests is a 429, or a 403 whose quota is used up`() {
        func isRefusal(_ status: Int, _ headers: HTTPHeaders = [:]) -> Bool {
            ResponseHead(statusCode: status, headers: headers, url: .test("a")).isQuotaRefusal
        }
        #expect(isRefusal(429) && isRefusal(403, ["X-RateLimit-Remaining": "0"]))
        #expect(!isRefusal(403) && !isRefusal(403, ["X-RateLimit-Remaining": "1"]))
        #expect(!isRefusal(200, ["X-RateLimit-Remaining": "0"]))
    }
}
