import Foundation
import Testing

@testable import NetworkQueueKit

struct ResponseHeadTests {
    private let url = URL(filePath: "/")

    @Test(arguments: [
        ("0", 0), ("5", 5), (" 42\t", 42), ("007", 7), ("9223372036854774784", Int64.max - 1023), ("5, 5", 5),
        ("5,5 ,5", 5),
    ])
    func `A Content-Length is a number of digits`(value: String, expected: Int64) {
        #expect(length(["Content-Length": value]) == expected)
        #expect(length(["A": "1", "content-LENGTH": value, "B": "2"]) == expected)
    }

    @Test(arguments: [
        "", " ", ",", "-1", "+1", "-0", "1.0", "1e3", "0x10", "abc", "12 34", "5, 6", "5, abc", "\u{0665}", "5;",
        "9223372036854775808", "999999999999999999999999999999",
    ])
    func `An invalid Content-Length is read as nil`(value: String) {
        #expect(length(["Content-Length": value]) == nil)
        #expect(
            length(["Content-Length": "5", "content-length": value]) == (["", " ", ","].contains(value) ? 5 : nil))
    }

    @Test func `A head's texts tell its status and URL, but no secrets`() throws {
        let head = ResponseHead(
            statusCode: 404, headers: ["A": "1", "Set-Cookie": "secret"],
            url: try #require(URL(string: "http://u:secret@h/a")), httpVersion: "HTTP/2")
        #expect("\(head)" == "HTTP/2 404 http://h/a")
        #expect(head.debugDescription.hasPrefix("HTTP/2 404 http://h/a [A: 1, Set-Cookie: "))
        var text = ""
        dump(head, to: &text)
        #expect(text.contains("statusCode: 404"))
        #expect(!(text + head.debugDescription).contains("secret"))
    }

    @Test func `The expected length is nil if there is no Content-Length`() {
        #expect(length([:]) == nil)
        #expect(length(["Content-Type": "text/plain", "X-Content-Length": "5", "Content-Lengt": "5"]) == nil)
    }

    @Test func `Equal Content-Length fields give one length, differing ones give none`() {
        #expect(length(["Content-Length": "5", "Content-Length": "5"]) == 5)
        #expect(length(["Content-Length": "5", "A": "1", "content-length": "5, 5"]) == 5)
        #expect(length(["Content-Length": "5", "Content-Length": "6"]) == nil)
        #expect(length(["Content-Length": "5", "Content-Length": "6", "Content-Length": "5"]) == nil)
    }

    @Test func `A Transfer-Encoding overrules a Content-Length`() {
        #expect(length(["Content-Length": "5", "Transfer-Encoding": "chunked"]) == nil)
        #expect(length(["transfer-encoding": "", "Content-Length": "5"]) == nil)
    }

    @Test func `Foundation's form of a head joins duplicates`() {
        let head = ResponseHead(
            statusCode: 404, headers: ["A": "1", "B": "2", "A": "3"], url: url, httpVersion: "HTTP/1.1")
        let response = head.httpURLResponse
        #expect(response.statusCode == 404)
        #expect(response.url == url)
        #expect(response.value(forHTTPHeaderField: "a") == "1, 3")
        #expect(response.value(forHTTPHeaderField: "B") == "2")
    }

    private func length(_ headers: HTTPHeaders) -> Int64? {
        ResponseHead(statusCode: 200, headers: headers, url: url).expectedContentLength
    }
}
