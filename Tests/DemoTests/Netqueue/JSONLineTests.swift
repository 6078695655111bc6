import Foundation
import Testing

@testable import netqueue

struct JSONLineTests {
    private func list(_ lines: String...) -> URLList { URLList(text: lines.joined(separator: "\n"), name: "x") }

    private func entry(_ line: String) throws -> ListEntry {
        let list = list(line)
        #expect(list.badLines == [])
        return try #require(list.entries.first)
    }

    @Test func `The keys of an object are the fields of a list`() throws {
        let digits = String(repeating: "0", count: 64)
        let line = #"""
            {"url": "http://h/a b", "out": " x/\u0061 ", "size": 5, "checksum": "sha256:\#(digits)", "group": "g", \
            "stage": 2, "mirrors": ["http://m/1", "https://m/2"], \
            "headers": {"X-Two": ["1", "2"], "Accept": "a/b", "X-Empty": "", "User-Agent": []}}
            """#.replacing("\\\n", with: "")
        let text = """
            http://h/a%20b\tout= x/a \tchecksum=sha256:\(digits)\tsize=5\tgroup=g\tstage=2\theader=Accept: a/b\
            \theader=User-Agent:\theader=X-Empty;\theader=X-Two: 1\theader=X-Two: 2\tmirror=http://m/1\
            \tmirror=https://m/2
            """
        let entry = try entry(line)
        #expect(entry == URLList(text: text, name: "x").entries.first)
        // What is written is read as the same.
        #expect(try self.entry(JSONLine.text(entry)) == entry)
        #expect(JSONLine.text(ListEntry(address: "http://h/")) == #"{"url":"http://h/"}"#)
    }

    @Test(arguments: ["", "\u{FEFF}", "\n \t\r\n", "\u{FEFF}\n  "])
    func `The first visible byte decides the form of a list`(beginning: String) {
        let json = URLList(text: beginning + #"{"url":"http://h/a"}"# + "\nhttp://h/b\n\n# no\n", name: "x")
        #expect(json.entries.map(\.address) == ["http://h/a"] && json.badLines.count == 2)
        let text = URLList(text: beginning + "# no\n" + #"{"url":"http://h/a"}"# + "\nhttp://h/b\n", name: "x")
        #expect(text.entries.map(\.address) == ["http://h/b"] && text.badLines.count == 1)
    }

    @Test func `A line is one object, and does not get fields from the next line`() {
        let list = list(#"{"url":"http://h/a"}"#, "  out=b", #"  {"url":"http://h/c"}  "#, #"{"url":"http://h/d"} {}"#)
        #expect(list.entries.map(\.address) == ["http://h/a", "http://h/c"])
        #expect(list.entries.allSatisfy { $0.path == nil })
        #expect(list.badLines.map(\.source) == ["x:2", "x:4"])
    }

    @Test(
        arguments: [
            (#"{"url":"http://h/a","url":"http://h/b"}"#, "a key occurs twice"),
            (#"{"url":"http://h/a","u\u0072l":"http://h/a"}"#, "a key occurs twice"),
            (#"{"url":"http://h/a","headers":{"A":"1","A":"1"}}"#, "a key occurs twice"),
            (#"{"url":"http://h/\":\"","size":1,"size":1}"#, "a key occurs twice"),
            (#"{"url":"http://h/a","URL":"http://h/a"}"#, "unknown key “URL”"),
            (#"{"url":"http://h/a","header":"A: 1"}"#, "unknown key “header”"),
            (#"{"out":"a"}"#, "no “url”"), ("{}", "no “url”"), (#"{"url":""}"#, "not an http or https URL"),
            (#"{"url":"ftp://h/a"}"#, "not an http or https URL"), (#"{"url":null}"#, "“url”; expected a string"),
            (#"{"url":["http://h/a"]}"#, "“url”; expected a string"), (#"{"url":1}"#, "“url”; expected a string"),
            (#"{"url":"http://h/a","out":null}"#, "“out”; expected a string"),
            (#"{"url":"http://h/a","size":"1"}"#, "“size”; expected"), (#"{"url":"http://h/a","size":1.5}"#, "“size”"),
            (#"{"url":"http://h/a","size":true}"#, "“size”"), (#"{"url":"http://h/a","size":-1}"#, "size=-1"),
            (#"{"url":"http://h/a","size":9223372036854775808}"#, "“size”"),
            (#"{"url":"http://h/a","stage":-1}"#, "stage=-1"), (#"{"url":"http://h/a","stage":"1"}"#, "“stage”"),
            (#"{"url":"http://h/a","mirrors":"http://h/b"}"#, "“mirrors”; expected an array of strings"),
            (#"{"url":"http://h/a","mirrors":[1]}"#, "“mirrors”"),
            (#"{"url":"http://h/a","mirrors":["x"]}"#, "mirror=x"),
            (#"{"url":"http://h/a","headers":["A: 1"]}"#, "“headers”; expected an object"),
            (#"{"url":"http://h/a","headers":{"A":1}}"#, "“headers”"),
            (#"{"url":"http://h/a","headers":{"A":[["1"]]}}"#, "“headers”"),
            (#"{"url":"http://h/a","headers":{"A: 1\r\nB":"2"}}"#, "a tab or a line break"),
            (#"{"url":"http://h/a","headers":{"A: 1":"2"}}"#, "invalid key “A: 1” in “headers”"),
            (#"{"url":"http://h/a","headers":{"":"2"}}"#, "invalid key “” in “headers”"),
            (#"{"url":"http://h/a","headers":{"A":"1\r\nB: 2"}}"#, "a tab or a line break"),
            (#"{"url":"http://h/a","out":"a\tsize=1"}"#, "a tab or a line break"),
            (#"{"url":"http://h/a","out":"../a"}"#, "out=../a"), (#"{"url":"http://h/a","out":"/a"}"#, "out=/a"),
            (#"{"url":"http://h/a","out":"a\u0000b"}"#, "below the folder"),
            (#"{"url":"http://h/a","out":""}"#, "below the folder"),
            (#"{"url":"http://h/a","checksum":"sha256:1"}"#, "checksum=sha256:1"),
            (#"{"url":"http://h/a","group":""}"#, "1 to 255 bytes"),
            (#"{"url":"http://h/a",}"#, "not a JSON object"),
            (#"{"url":"http://h/a","mirrors":["http://h/b", ]}"#, "not a"),
            (#"{"url":"http://h/a"};"#, "not a JSON object"), (#"{"url":"http://h/a""#, "not a JSON object"),
            (#"{url:"http://h/a"}"#, "not a JSON object"), ("{\"url\":\"http://h/\u{0}\"}", "not UTF-8"),
            ("{" + String(repeating: "\"a\":{", count: 100_000), "not a JSON object"),
        ])
    func `A line fails that is not an object, or has an unknown key, a key twice or a value of another type`(
        line: String, reason: String
    ) {
        let list = list(line, #"{"url":"http://h/next"}"#)
        #expect(list.entries.map(\.address) == ["http://h/next"])
        #expect(list.badLines.map(\.code) == [.line] && list.badLines.first?.lines == .text(line))
        #expect(list.badLines.first?.reason.contains(reason) == true, "\(list.badLines.first?.reason ?? "")")
    }

    @Test func `Neither bytes that are not UTF-8 nor text in UTF-16 are a line`() {
        let line = Array(#"{"url":"http://h/"#.utf8) + [0xFF] + Array("\"}\n".utf8)
        let wide = Array("{".utf8) + [0] + #""url":"http://h/a"}"#.utf8.flatMap { [$0, 0] }
        let list = URLList(bytes: line + wide, name: "x")
        #expect(
            list.entries == [] && list.badLines.map(\.reason) == Array(repeating: "the line is not UTF-8", count: 2))
    }

    @Test func `A line has at most 1 MiB`() {
        func line(_ count: Int) -> String {
            let frame = #"{"url":"http://h/"}"#
            return frame.replacing("h/", with: "h/" + String(repeating: "a", count: count - frame.utf8.count))
        }
        let list = list(line(URLList.longestLine), line(URLList.longestLine + 1))
        #expect(list.entries.count == 1 && list.badLines.map(\.source) == ["x:2"])
        #expect(list.badLines.first?.lines == nil)
    }

    @Test func `A message quotes no value that may be a secret`() {
        let lines = [#"{"url":"http://h/a","headers":{"A":{"B":"mellon"}}}"#, #"{"url":"http://u:mellon@h:x/"}"#]
        for line in lines { #expect(list(line).badLines.map(\.reason).contains { $0.contains("mellon") } == false) }
    }
}
