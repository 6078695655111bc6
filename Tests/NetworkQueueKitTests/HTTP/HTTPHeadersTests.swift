import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

struct HTTPHeadersTests {
    @Test func `Field names compare without case and keep their spelling`() {
        let headers: HTTPHeaders = ["Content-Type": "text/plain", "ETag": "x"]
        for name in ["content-type", "CONTENT-TYPE", "Content-Type"] {
            #expect(headers[name] == "text/plain")
            #expect(headers.contains(name))
            #expect(headers.values(for: name) == ["text/plain"])
        }
        #expect(headers.map(\.name) == ["Content-Type", "ETag"])
        #expect(headers["Content-Typ"] == nil)
        #expect(headers["Content-Type2"] == nil)
        #expect(!headers.contains(""))
    }

    @Test func `Only ASCII letters of a field name have two cases`() {
        let headers: HTTPHeaders = ["a[b": "1", "K": "2"]
        #expect(headers["A{B"] == nil)
        #expect(headers["a[b"] == "1")
        #expect(headers["\u{212A}"] == nil)
    }

    @Test func `Header fields keep their order and duplicates`() {
        var headers: HTTPHeaders = ["B": "1", "A": "2", "b": "3"]
        headers.append(name: "A", value: "4")
        #expect(headers.map(\.name) == ["B", "A", "b", "A"])
        #expect(headers.map(\.value) == ["1", "2", "3", "4"])
        #expect(headers.values(for: "a") == ["2", "4"])
        #expect(headers["B"] == "1, 3")
        #expect(headers.count == 4)
    }

    @Test func `Setting a value replaces all fields of the name by one at the end`() {
        var headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3"]
        headers["A"] = "4"
        #expect(headers == ["B": "2", "A": "4"])
        headers["C"] = "5"
        #expect(headers == ["B": "2", "A": "4", "C": "5"])
        headers["b"] = nil
        #expect(headers == ["A": "4", "C": "5"])
        headers["missing"] = nil
        headers.removeAll(named: "a")
        headers.removeAll(named: "C")
        #expect(headers.isEmpty)
        #expect(headers.count == 0)
        #expect(headers == HTTPHeaders())
    }

    @Test(arguments: ["\r\n", "\n", "\r", "\0", "\r\n\r\n"])
    func `A line break cannot smuggle in a field`(lineBreak: String) {
        var headers = HTTPHeaders()
        headers.append(name: "A", value: "1\(lineBreak)Evil: 2")
        headers.append(name: "B\(lineBreak)Evil", value: "3")
        headers["C"] = "4\(lineBreak)"
        #expect(headers.count == 3)
        #expect(!headers.contains("Evil"))
        #expect(headers["C"] == "4")
        for field in headers {
            #expect(!(field.name + field.value).utf8.contains { $0 == 10 || $0 == 13 || $0 == 0 })
        }
    }

    @Test(arguments: ["\r\n", "\n", "\r", "\0", "X\r\nEvil: 1"])
    func `A field with a line break or a NUL must not be sent`(text: String) throws {
        var headers: HTTPHeaders = ["A": "1"]
        #expect(headers.unsendableName == nil)
        headers.append(name: "B", value: "b\(text)")
        #expect(headers.unsendableName == "B")
        headers["b"] = "fine"
        #expect(headers.unsendableName == nil)
        headers.append(name: "C\(text)", value: "c")
        let name = try #require(headers.unsendableName)
        #expect(name.hasPrefix("C"))
        headers[name] = "fine"
        #expect(headers.unsendableName == (name.contains(" ") ? name : nil))
    }

    @Test(arguments: ["", "A B", "A(", "Ä", "A\u{301}"])
    func `A field whose name is no token must not be sent`(name: String) {
        let headers: HTTPHeaders = ["A": "1", name: "2", "B": "3"]
        #expect(headers.unsendableName == name)
    }

    @Test func `Many equal fields are joined in time that grows with their length alone`() throws {
        var lines = Array("HTTP/1.1 200 OK\r\n".utf8)
        for index in 0..<75_000 { lines += Array((index.isMultiple(of: 2) ? "a:\r\n" : "A:b\r\n").utf8) }
        let headers = HTTPHeaders(received: lines)
        let clock = ThreadClock()
        #expect(headers["a"]?.utf8.count == 37_500 + 2 * 74_999)
        let head = ResponseHead(statusCode: 200, headers: headers, url: URL(filePath: "/"))
        #expect(head.httpURLResponse.value(forHTTPHeaderField: "a") == headers["A"])
        var others = headers
        others["B"] = "1"
        others.removeAll(named: "a")
        #expect(others == ["B": "1"])
        // What is quadratic takes minutes.
        #expect(clock.elapsed < .seconds(20))
    }

    @Test func `White space around a field's name and value does not count`() {
        var headers: HTTPHeaders = [" A\t": "\t 1 2 \r\n", "Empty": " \t "]
        headers.append(name: "C", value: "")
        #expect(headers["A"] == "1 2")
        #expect(headers["Empty"] == "")
        #expect(headers["C"] == "")
        #expect(headers.count == 3)
    }

    @Test func `A field's value may have colons, and bytes that are no UTF-8 are replaced`() {
        let headers = HTTPHeaders(
            received: Array("A:http://h:80/\r\nB:\t2\r\nno colon\r\n\r\nC: ".utf8) + [0xE9, 0x0D, 0x0A])
        #expect(headers["A"] == "http://h:80/")
        #expect(headers["B"] == "2")
        #expect(headers["C"] == "\u{FFFD}")
        #expect(headers.count == 3)
    }

    @Test func `A field's name ends at its first colon`() {
        var headers: HTTPHeaders = ["A:B": "1", "A": "2"]
        #expect(headers["A:B"] == nil && !headers.contains("A:B"))
        #expect(headers.values(for: "a") == ["B:1", "2"])
        #expect(headers.unsendableName == "A")
        headers.removeAll(named: "A:B")
        #expect(headers.count == 2)
    }

    @Test func `A character that some parser would take for the end of a received line becomes a space`() {
        let headers = HTTPHeaders(received: Array("A\r: 1\rEvil: 2\0\0 3\r\r\nB\0C: \0\r\n\0\r\n".utf8))
        #expect(headers == ["A": "1 Evil: 2   3", "B C": ""])
    }

    @Test func `A received line that begins with white space goes on with the value before it`() {
        let headers = HTTPHeaders(received: Array(" stray\r\nA: 1\r\n \t 2\r\nno colon\r\n\t3:\n:\r\nB:\n 5\n".utf8))
        #expect(headers.map(\.name) == ["A", "", "B"])
        #expect(headers.map(\.value) == ["1 2 3:", "", "5"])
    }

    @Test func `A megabyte of forbidden bytes is taken in one pass`() {
        let headers = HTTPHeaders(
            received: Array("A: 1".utf8) + [UInt8](repeating: 0, count: 1 << 20) + Array("2\n".utf8))
        #expect(headers["A"]?.utf8.count == (1 << 20) + 2)
    }

    @Test func `The first value of a name can be read as bytes`() {
        let headers: HTTPHeaders = ["A": "1", "b": " ä ", "B": "2"]
        #expect(headers.firstValueBytes(for: "B") == [0xC3, 0xA4])
        #expect(headers.firstValueBytes(for: "c") == nil)
    }
}
