import Foundation
import Testing

@testable import NetworkQueueKit

struct ResponseHeadParserTests {
    private let parser = ResponseHeadParser()
    private static let ok = "HTTP/1.1 200 OK\r\n"

    /// Which of the lines have finished a head.
    @discardableResult
    private func append(_ lines: [String]) -> [Bool] {
        lines.map { line in Array(line.utf8).withUnsafeBytes { parser.append($0) } }
    }

    private var head: ResponseHead? { parser.finish(url: URL(filePath: "/")) }

    @Test(arguments: ["\r\n", "\n"]) func `A head is finished by its empty line, and only that`(end: String) {
        #expect(append(["HTTP/1.1 404 Not Found", "A: 1", "B: 2"].map { $0 + end }) == [false, false, false])
        #expect(!parser.isComplete && append([end]) == [true] && parser.isComplete)
        let head = head
        #expect(head?.statusCode == 404 && head?.httpVersion == "HTTP/1.1" && head?.headers == ["A": "1", "B": "2"])
        #expect(head?.url == URL(filePath: "/"))
        // Trailers are ignored, whatever they look like.
        #expect(append(["X-Trailer: 1\r\n", "HTTP/1.1 500 No\r\n", "X-A\r\n", end]) == [false, false, false, false])
        #expect(parser.isComplete && parser.fault == nil)
    }

    @Test(arguments: [
        ("HTTP/1.1 299", "HTTP/1.1"), ("HTTP/2 299 ", "HTTP/2"), ("HTTP/1.1  299  Many words here", "HTTP/1.1"),
        ("HTTP/1.0 299 A", "HTTP/1.0"), ("HTTP/1.2 299 A", "HTTP/1.2"), ("HTTP/2.0 299 A", "HTTP/2.0"),
        ("HTTP/3 299 A", "HTTP/3"),
    ])
    func `A status line needs a known major version and a status, but no reason`(line: String, version: String) {
        #expect(append([line + "\r\n", "\r\n"]) == [false, true])
        let head = head
        #expect(head?.statusCode == 299 && head?.httpVersion == version)
    }

    private static let badStatusLines = [
        "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 20", "HTTP/1.1 2000 OK", "HTTP/1.1 abc OK", "HTTP/1.1 -12 OK",
        "HTTP/1.1 099 OK", "HTTP/1.1 2\u{0662}0 OK", "HTTP/", "HTTP/0.9 200 OK", "HTTP/4 200 OK", "HTTP/7.3 200 OK",
        "HTTP/ 200 OK", "HTTP/x 200 OK", "HTTP/10.1 200 OK", "HTTP/1. 200 OK", "HTTP/1.x 200 OK", "HTTP/1.10 200 OK",
        "HTTP/1-1 200 OK",
    ].map { [$0 + "\r\n", "A: 1\r\n"] }

    /// The last is a status line in mid-head, which libcurl takes for a field.
    private static let badFields = [
        "X-A\r\n", "A\n", "X-A: a\0b\r\n", "X\0: a\r\n", " a\0\r\n", "HTTP\r\n", "Content-Length : 3\r\n",
        "Content-Length\t: 3\r\n", "Content-Length \t : 3\r\n", "HTTP/1.1 200 a:b\r\n",
    ].map { [ok, "A: 1\r\n", $0, "B: 2\r\n"] }

    /// There is no field that these could continue.
    private static let orphans = [
        [ok, " a\r\n", "B: 2\r\n"], [ok, "\t \r\n"], ["HTTP/1.1 103 Early\r\n", "A: 1\r\n", "\r\n", ok, " a\r\n"],
    ]

    @Test(arguments: badStatusLines + badFields + orphans)
    func `A head with a malformed line is refused, and the next one is read`(lines: [String]) {
        #expect(!append(lines + ["\r\n"]).contains(true))
        #expect(parser.fault != nil && !parser.isComplete && head == nil)
        parser.reset()
        #expect(parser.fault == nil && append([Self.ok, "A: 1\r\n", "\r\n"]).last == true)
    }

    @Test func `An interim response makes the parser start over, and a switch of protocols is final`() {
        let interims = ["HTTP/1.1 100 Continue\r\n", "\r\n", "HTTP/1.1 103 Early Hints\r\n", "Link: </a>\r\n", "\r\n"]
        #expect(!append(interims).contains(true) && !parser.isComplete)
        #expect(append(["HTTP/1.1 201 Created\r\n", "A: 1\r\n", "\r\n"]) == [false, false, true])
        let head = head
        #expect(head?.statusCode == 201 && head?.headers == ["A": "1"])
        parser.reset()
        #expect(append(["HTTP/1.1 101 Switching Protocols\r\n", "\r\n"]) == [false, true])
        #expect(self.head?.statusCode == 101)
    }

    @Test func `There is no head without a status line`() {
        #expect(append(["A: 1\r\n", "\r\n", "garbage", ""]) == [false, false, false, false])
        #expect(!parser.isComplete && head == nil)
    }

    @Test func `One parser serves one response after the other, even after one that was broken off`() {
        #expect(append([Self.ok, "A: 1\r\n", "\r\n"]).last == true && head?.headers == ["A": "1"])
        parser.reset()
        #expect(!parser.isComplete && head == nil)
        append(["HTTP/1.1 500 No\r\n", "B: 2\r\n"])
        parser.reset()
        #expect(append(["C: 3\r\n", "\r\n"]) == [false, false])
        #expect(append(["HTTP/2 204\r\n", "D: 4\r\n", "\r\n"]).last == true)
        let head = head
        #expect(head?.statusCode == 204 && head?.httpVersion == "HTTP/2" && head?.headers == ["D": "4"])
    }

    @Test(arguments: [1, 1000, 1019, 1020, 1021, 1022, 16_000, 150_000])
    func `A head may be of any length up to 300 KB`(length: Int) {
        for _ in 0..<2 {
            let value = String(repeating: "v", count: length)
            #expect(append([Self.ok, "A: \(value)\r\n", "B: \(value)", "\r\n"]).last == true)
            #expect(head?.headers == ["A": value, "B": value])
            parser.reset()
            #expect(parser.capacity <= 16 * 1024)
        }
    }

    @Test func `A line is one field, whatever is in it, unless it begins with white space`() {
        append([Self.ok, "A: 1\nEvil: 2\n\nEvil: 3", "\nB: 4\r\n", "C: 5\n", "\r\n"])
        #expect(head?.headers == ["A": "1 Evil: 2  Evil: 3", "B": "4", "C": "5"])
        parser.reset()
        append([Self.ok, "A: 1\r\n", "  2\r\n", "\t3: 4\r\n", "B:\r\n", " 5\r\n", "\r\n"])
        #expect(head?.headers == ["A": "1 2 3: 4", "B": "5"])
    }

    @Test(arguments: orphans)
    func `A first field that begins with white space is found before its line is appended`(lines: [String]) {
        for (index, line) in lines.enumerated() {
            Array(line.utf8).withUnsafeBytes { parser.preview($0) }
            if parser.fault != nil {
                #expect(index == lines.lastIndex { $0.first == " " || $0.first == "\t" })
                return
            }
            append([line])
        }
        Issue.record("No fault was found.")
    }

    @Test func `A line may be previewed in pieces, of which only the first begins it`() {
        append([Self.ok])
        for piece in ["A:", " 1\r", "\n", "B: 2\r\n"] { Array(piece.utf8).withUnsafeBytes { parser.preview($0) } }
        #expect(parser.fault == nil)
        append(["A: 1\r\n", "B: 2\r\n"])
        for piece in [" 3\r\n", "\r\n"] { Array(piece.utf8).withUnsafeBytes { parser.preview($0) } }
        #expect(append([" 3\r\n", "\r\n"]) == [false, true] && head?.headers == ["A": "1", "B": "2 3"])
    }

    @Test(arguments: [false, true])
    func `The heads of an exchange may have 300 KB together, trailers counted`(isTrailer: Bool) {
        let line = "A: " + String(repeating: "x", count: 1019) + "\r\n"
        append([Self.ok] + (isTrailer ? ["\r\n"] : []) + Array(repeating: line, count: 299))
        #expect(parser.fault == nil)
        append([line, line])
        #expect(parser.fault != nil && !parser.isComplete && head == nil)
    }

    @Test func `There are at most 100 interim responses`() {
        for _ in 0..<100 { #expect(!append(["HTTP/1.1 103 Early Hints\r\n", "\r\n"]).contains(true)) }
        #expect(parser.fault == nil)
        append(["HTTP/1.1 103 Early Hints\r\n", "\r\n"])
        #expect(parser.fault != nil)
        #expect(append([Self.ok, "\r\n"]) == [false, false])
    }
}
