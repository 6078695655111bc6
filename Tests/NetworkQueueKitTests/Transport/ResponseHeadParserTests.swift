import Foundation
import Testing

@testable import NetworkQueueKit

struct ResponseHeadParserTests {
    private let url = URL(filePath: "/")

    @Test func `A head is finished by its empty line`() {
        let parser = ParserProbe()
        #expect(!parser.append("HTTP/1.1 200 OK\r\n"))
        #expect(!parser.append("A: 1\r\n"))
        #expect(!parser.append("B: 2\r\n"))
        #expect(!parser.isComplete)
        #expect(parser.append("\r\n"))
        #expect(parser.isComplete)
        let head = parser.finish(url: url)
        #expect(head?.statusCode == 200)
        #expect(head?.httpVersion == "HTTP/1.1")
        #expect(head?.headers == ["A": "1", "B": "2"])
        #expect(head?.url == url)
    }

    @Test func `Lines may end with a bare line feed`() {
        let parser = ParserProbe()
        #expect(parser.append(all: ["HTTP/1.0 404 Not Found\n", "A: 1\n", "\n"]) == [false, false, true])
        let head = parser.finish(url: url)
        #expect(head?.statusCode == 404)
        #expect(head?.httpVersion == "HTTP/1.0")
        #expect(head?.headers == ["A": "1"])
    }

    @Test(arguments: ["HTTP/1.1 299\r\n", "HTTP/2 299 \r\n", "HTTP/1.1  299  Many words here\r\n", "HTTP/3 299\n"])
    func `A reason phrase is optional`(line: String) {
        let parser = ParserProbe()
        #expect(parser.append(all: [line, "\r\n"]) == [false, true])
        #expect(parser.finish(url: url)?.statusCode == 299)
    }

    @Test(arguments: [
        "HTTP/1.1\r\n", "HTTP/1.1 \r\n", "HTTP/1.1 20\r\n", "HTTP/1.1 2000 OK\r\n", "HTTP/1.1 abc OK\r\n",
        "HTTP/1.1 -12 OK\r\n", "HTTP/1.1 099 OK\r\n", "HTTP/1.1 2\u{0662}0 OK\r\n", "HTTP/\r\n",
    ])
    func `A status that is not three digits is malformed`(line: String) {
        let parser = ParserProbe()
        #expect(parser.append(all: [line, "A: 1\r\n", "\r\n"]) == [false, false, false])
        #expect(parser.fault != nil)
        #expect(!parser.isComplete)
        #expect(parser.finish(url: url) == nil)
    }

    @Test(arguments: [
        "HTTP/0.9", "HTTP/4", "HTTP/7.3", "HTTP/", "HTTP/x", "HTTP/10.1", "HTTP/1.", "HTTP/1.x", "HTTP/1.10",
        "HTTP/1-1",
    ])
    func `A version that is not known is malformed`(version: String) {
        let parser = ParserProbe()
        #expect(parser.append(all: ["\(version) 200 OK\r\n", "A: 1\r\n", "\r\n"]) == [false, false, false])
        #expect(parser.fault != nil)
    }

    @Test(arguments: ["HTTP/1.0", "HTTP/1.1", "HTTP/1.2", "HTTP/2", "HTTP/2.0", "HTTP/3"])
    func `A version is known by its major number`(version: String) {
        let parser = ParserProbe()
        #expect(parser.append(all: ["\(version) 200 OK\r\n", "\r\n"]) == [false, true])
        #expect(parser.finish(url: url)?.httpVersion == version)
    }

    @Test(arguments: ["X-A\r\n", "A\n", "X-A: a\0b\r\n", "X\0: a\r\n", " a\0\r\n", "HTTP\r\n"])
    func `A line that is not a field is malformed`(line: String) {
        let parser = ParserProbe()
        let lines = ["HTTP/1.1 200 OK\r\n", "A: 1\r\n", line, "B: 2\r\n", "\r\n"]
        #expect(!parser.append(all: lines).contains(true))
        #expect(parser.fault != nil && parser.finish(url: url) == nil)
        // What comes behind the head is not looked at.
        parser.reset()
        #expect(parser.append(all: ["HTTP/1.1 200 OK\r\n", "\r\n", line]) == [false, true, false])
        #expect(parser.fault == nil)
    }

    @Test func `An interim response makes the parser start over`() {
        let parser = ParserProbe()
        let interims = ["HTTP/1.1 100 Continue\r\n", "\r\n", "HTTP/1.1 103 Early Hints\r\n", "Link: </a>\r\n", "\r\n"]
        #expect(!parser.append(all: interims).contains(true))
        #expect(!parser.isComplete)
        #expect(parser.append(all: ["HTTP/1.1 201 Created\r\n", "A: 1\r\n", "\r\n"]) == [false, false, true])
        let head = parser.finish(url: url)
        #expect(head?.statusCode == 201)
        #expect(head?.headers == ["A": "1"])
    }

    @Test func `A switch of protocols is final`() {
        let parser = ParserProbe()
        #expect(parser.append(all: ["HTTP/1.1 101 Switching Protocols\r\n", "\r\n"]) == [false, true])
        #expect(parser.finish(url: url)?.statusCode == 101)
    }

    @Test func `A status line in mid-head, which libcurl takes for a field, is malformed`() {
        let parser = ParserProbe()
        let lines = ["HTTP/1.1 200 OK\r\n", "Transfer-Encoding: gzip\r\n", "HTTP/1.1 200 a:b\r\n", "B: 2\r\n", "\r\n"]
        #expect(!parser.append(all: lines).contains(true))
        #expect(parser.fault != nil && parser.finish(url: url) == nil)
    }

    @Test func `Trailers are ignored`() {
        let parser = ParserProbe()
        _ = parser.append(all: ["HTTP/1.1 200 OK\r\n", "A: 1\r\n", "\r\n"])
        let head = parser.finish(url: url)
        #expect(parser.append(all: ["X-Trailer: 1\r\n", "HTTP/1.1 500 No\r\n", "\r\n"]) == [false, false, false])
        #expect(parser.isComplete)
        #expect(head?.statusCode == 200)
    }

    @Test func `There is no head without a status line`() {
        let parser = ParserProbe()
        #expect(parser.append(all: ["A: 1\r\n", "\r\n", "garbage", ""]) == [false, false, false, false])
        #expect(!parser.isComplete)
        #expect(parser.finish(url: url) == nil)
    }

    @Test func `One parser serves one response after the other, even after one that was broken off`() {
        let parser = ParserProbe()
        #expect(parser.append(all: ["HTTP/1.1 200 OK\r\n", "A: 1\r\n", "\r\n"]).last == true)
        #expect(parser.finish(url: url)?.headers == ["A": "1"])
        parser.reset()
        #expect(!parser.isComplete)
        #expect(parser.finish(url: url) == nil)
        _ = parser.append(all: ["HTTP/1.1 500 No\r\n", "B: 2\r\n"])
        parser.reset()
        #expect(parser.append(all: ["C: 3\r\n", "\r\n"]) == [false, false])
        #expect(parser.append(all: ["HTTP/2 204\r\n", "D: 4\r\n", "\r\n"]).last == true)
        let head = parser.finish(url: url)
        #expect(head?.statusCode == 204 && head?.httpVersion == "HTTP/2" && head?.headers == ["D": "4"])
        _ = parser.append("HTTP/1.1 none\r\n")
        parser.reset()
        #expect(parser.append("HTTP/1.1 none\r\n") == false && parser.fault != nil)
        parser.reset()
        #expect(parser.fault == nil)
    }

    @Test(arguments: [1, 1000, 1019, 1020, 1021, 1022, 16_000, 150_000])
    func `A head may be of any length up to 300 KB`(length: Int) {
        let parser = ParserProbe()
        for _ in 0..<2 {
            let value = String(repeating: "v", count: length)
            let lines = ["HTTP/1.1 200 OK\r\n", "A: \(value)\r\n", "B: \(value)", "\r\n"]
            #expect(parser.append(all: lines).last == true)
            #expect(parser.finish(url: url)?.headers == ["A": value, "B": value])
            parser.reset()
            #expect(parser.capacity <= 16 * 1024)
        }
    }

    @Test func `A line is one field, whatever is in it`() {
        let parser = ParserProbe()
        _ = parser.append(all: ["HTTP/1.1 200 OK\r\n", "A: 1\nEvil: 2\n\nEvil: 3", "\nB: 4\r\n", "C: 5\n", "\r\n"])
        let head = parser.finish(url: url)
        #expect(head?.headers == ["A": "1 Evil: 2  Evil: 3", "B": "4", "C": "5"])
    }

    @Test func `A line that begins with white space goes on with the one before`() {
        let parser = ParserProbe()
        _ = parser.append(all: [
            "HTTP/1.1 200 OK\r\n", " stray\r\n", "A: 1\r\n", "  2\r\n", "\t3: 4\r\n", "B:\r\n", " 5\r\n", "\r\n",
        ])
        #expect(parser.finish(url: url)?.headers == ["A": "1 2 3: 4", "B": "5"])
    }

    @Test(arguments: [" ", "\t", " \t "])
    func `White space before a colon is malformed`(space: String) {
        let parser = ParserProbe()
        #expect(
            parser.append(all: ["HTTP/1.1 200 OK\r\n", "Content-Length\(space): 3\r\n", "\r\n"]).contains(true) == false
        )
        #expect(parser.fault != nil)
        parser.reset()
        #expect(parser.fault == nil && parser.append(all: ["HTTP/1.1 200 OK\r\n", "A: 1\r\n", "\r\n"]).last == true)
    }

    @Test func `The heads of an exchange may have 300 KB together, trailers counted`() {
        let status = "HTTP/1.1 200 OK\r\n"
        let line = "A: " + String(repeating: "x", count: 1019) + "\r\n"
        for isTrailer in [false, true] {
            let parser = ParserProbe()
            _ = parser.append(status)
            if isTrailer { #expect(parser.append("\r\n")) }
            for _ in 0..<299 { _ = parser.append(line) }
            #expect(parser.fault == nil)
            for _ in 0..<2 { _ = parser.append(line) }
            #expect(parser.fault != nil && !parser.isComplete && parser.finish(url: url) == nil)
        }
    }

    @Test func `There are at most 100 interim responses`() {
        let parser = ParserProbe()
        for _ in 0..<100 { #expect(!parser.append(all: ["HTTP/1.1 103 Early Hints\r\n", "\r\n"]).contains(true)) }
        #expect(parser.fault == nil)
        _ = parser.append(all: ["HTTP/1.1 103 Early Hints\r\n", "\r\n"])
        #expect(parser.fault != nil)
        #expect(parser.append(all: ["HTTP/1.1 200 OK\r\n", "\r\n"]) == [false, false])
    }
}

/// A parser that takes text.
private final class ParserProbe {
    private let parser = ResponseHeadParser()

    var isComplete: Bool { parser.isComplete }
    var fault: String? { parser.fault }

    func append(_ line: String) -> Bool {
        Array(line.utf8).withUnsafeBytes { parser.append($0) }
    }

    func append(all lines: [String]) -> [Bool] {
        lines.map(append)
    }

    var capacity: Int { parser.capacity }

    func reset() {
        parser.reset()
    }

    func finish(url: URL) -> ResponseHead? {
        parser.finish(url: url)
    }
}
