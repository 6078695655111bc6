import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

@testable import netqueue

extension URLList {
    /// A list that is read from its beginning.
    init(text: String, name: String) {
        self.init(bytes: text.utf8, name: name)
    }

    init(bytes: some Collection<UInt8>, name: String) {
        let store = ListStore()
        self.init(store.append(bytes, from: ListSource(content: bytes)), of: store, name: name)
    }

    /// Its URLs with their fields.
    var entries: [ListEntry] {
        items.compactMap { if case .entry(let entry, _) = $0 { entry } else { nil } }
    }

    var badLines: [JobFailure] { items.compactMap { if case .bad(let line) = $0 { line } else { nil } } }

    private var items: [Item] {
        var list = self
        var items: [Item] = []
        while let item = list.next() { items.append(item) }
        return items
    }
}

struct URLListTests {
    @Test func `A list has one URL per line, among blank lines and comments`() {
        let list = URLList(text: "\u{FEFF}http://a/1\r\n\r\n  # no\n\thttps://b/2#part \n\nHTTP://c", name: "x")
        #expect(list.entries.map(\.url.absoluteString) == ["http://a/1", "https://b/2#part", "http://c/"])
        #expect(list.badLines == [])
    }

    @Test(arguments: ["http://\n", "{}\n"])
    func `After 10,000 invalid lines, the rest of a list from a server is not read`(line: String) {
        let text = String(repeating: line, count: 10_005) + "http://a/1\n"
        func list(from url: URL?) -> URLList {
            let store = ListStore()
            let source = ListSource(url: url, content: text.utf8)
            return URLList(store.append(text.utf8, from: source), of: store, name: "x")
        }
        let remote = list(from: URL(string: "http://h/list")).badLines
        #expect(remote.count == 10_001 && remote.last?.source == "x:10001")
        #expect(remote.last?.reason == "more than 10000 lines are invalid; the rest of the list is not read")
        #expect(list(from: nil).badLines.count >= 10_005)
    }

    @Test func `A line that is not a URL is reported with its number`() {
        let list = URLList(text: "http://a/1\n\nftp://b/2\nhttp://:80/x\nexample.com/x", name: "x.txt")
        #expect(list.entries.count == 1)
        #expect(list.badLines.map(\.source) == ["x.txt:3", "x.txt:4", "x.txt:5"])
        #expect(list.badLines.first?.reason == "not an http or https URL: “ftp://b/2”")
    }

    @Test func `A URL in a list can have spaces and letters of any script`() {
        let list = URLList(text: "http://a/b c/日本", name: "x")
        #expect(list.entries.map(\.url.absoluteString) == ["http://a/b%20c/%E6%97%A5%E6%9C%AC"])
    }

    @Test func `The complaint about a URL hides its password`() {
        #expect(!URLText.complaint("http://user:mellon@h:99999/").contains("mellon"))
    }

    @Test func `A URL in a list can be percent-encoded in part`() {
        let list = URLList(text: "http://a/sub%20dir/mix [1].txt", name: "x")
        #expect(list.entries.map(\.url.absoluteString) == ["http://a/sub%20dir/mix%20%5B1%5D.txt"])
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `A URL is read the same whether or not its server has been in a line before`(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let origins = [
            "http://h", "https://h:443", "http://127.0.0.1:80", "https://U:p%40@H", "http://[::1]:8", "http://h?",
            "http://0x7f.1", "http://", "http:", "http://h\\", "ftp://h", "https://日本", "http://h#", "http://.",
            "x/y",
        ]
        let parts = [
            "/", "/", "/", ".", "..", "%2e", "%2E", "%2", "%C3", "a", "Z", "~", "?", "#", "\\", " ", "é", "'", "[",
            ":@", "//h", "|", "\"", "+$&",
        ]
        let texts = (0..<2000).map { _ in
            origins[Int.random(in: origins.indices, using: &generator)] + "/"
                + (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                    parts[Int.random(in: parts.indices, using: &generator)]
                }.joined()
        }
        let urls = URLList(text: texts.joined(separator: "\n"), name: "x").entries.map(\.url.absoluteString)
        #expect(urls == texts.compactMap { URLText.url($0)?.absoluteString })
    }

    private let digits = String(repeating: "a1", count: 32)

    @Test func `The fields of a URL follow it after tabs`() throws {
        let line = "http://a/1\tout=x/y z.txt\tchecksum=sha256:\(digits) \tsize=12\theader=A: b=c\theader=D:e"
        let entry = try #require(URLList(text: line, name: "x").entries.first)
        #expect(entry.path == ["x", "y z.txt"])
        #expect(entry.checksum == .sha256(digits))
        #expect(entry.size == 12)
        #expect(entry.headers.map(\.name) == ["A", "D"])
        #expect(entry.headers.map(\.value) == ["b=c", "e"])
        #expect(URLList(text: entry.line, name: "x").entries == [entry])
    }

    @Test func `The fields of a URL can stand in indented lines below it, as in aria2`() {
        let list = URLList(
            text:
                "http://a/1\n  out=one\n\n # a remark\n\tchecksum=sha-256=\(digits)\r\n  http://a/2?x=1\nhttp://a/3\n  out=three",
            name: "x")
        #expect(list.badLines == [])
        #expect(list.entries.map(\.path) == [["one"], nil, ["three"]])
        #expect(list.entries[0].checksum == .sha256(digits))
    }

    @Test(arguments: OddName.joining + OddName.spaced + ["x ", " x", "x  y"])
    func `The path in a list is what follows the equals sign, byte for byte`(name: String) throws {
        for text in ["http://a/1\tout=a/\(name)", "http://a/1 \t out=a/\(name)\r", "http://a/1\n \tout=a/\(name)\r\n"] {
            let entry = try #require(URLList(text: text, name: "x").entries.first)
            #expect(entry.path?.map { ByteText($0) } == [ByteText("a"), ByteText(name)])
            let again = URLList(text: entry.line, name: "x").entries
            #expect(again.map(\.path?.last).map { $0.equals(bytesOf: name) } == [true])
        }
    }

    @Test(arguments: OddName.joining + OddName.spaced)
    func `The value of a header field is what follows the colon, byte for byte`(text: String) throws {
        let entry = try #require(
            URLList(text: "http://a/1\theader=A:\(text)\theader=B: \(text)", name: "x").entries.first)
        #expect(entry.headers.map(\.value).allSatisfy { $0.equals(bytesOf: text) } && entry.headers.count == 2)
    }

    @Test func `A URL may have mirrors, which are kept in a list of failures`() throws {
        let line = "http://a/1\tmirror=https://b/1 \tmirror=http://u:p@c/%41"
        let entry = try #require(URLList(text: line, name: "x").entries.first)
        #expect(entry.mirrors.map(\.absoluteString) == ["https://b/1", "http://u:p@c/%41"])
        #expect(URLList(text: entry.line, name: "x").entries == [entry])
        let wrong = URLList(text: "http://a/1\tmirror=ftp://u:secret@b/1", name: "x").badLines.map(\.reason)
        #expect(wrong == ["invalid field “mirror=…@b/1”; expected an http or https URL"])
    }

    @Test func `A URL may have a stage, which is kept in a list of failures`() throws {
        let entry = try #require(URLList(text: "http://a/1\tstage= 12 ", name: "x").entries.first)
        #expect(entry.stage == 12 && URLList(text: entry.line, name: "x").entries == [entry])
        #expect(URLList(text: "http://a/1\tstage=0", name: "x").entries.first?.line == "http://a/1")
    }

    @Test func `A URL may have a group, which is kept in a list of failures`() throws {
        let entry = try #require(URLList(text: "http://a/1\tgroup= album 7 ", name: "x").entries.first)
        #expect(entry.group == "album 7" && URLList(text: entry.line, name: "x").entries == [entry])
        let wrong = ["", String(repeating: "x", count: 256)].flatMap {
            URLList(text: "http://a/1\tgroup=\($0)", name: "x").badLines.map(\.reason)
        }
        #expect(wrong == Array(repeating: "invalid field “group=”; expected a name of 1 to 255 bytes", count: 2))
    }

    @Test(arguments: [
        "out=", "out=../x", "out=/etc/passwd", "out=a//b", "out=a/../../b", "out=x.nqk.part", "out=x.nqk.part.info.new",
        "out=.",
        "checksum=sha256:12",
        "checksum=crc:00", "size=many", "size=-1", "stage=-1", "stage=last", "header=none", "mirror=",
        "mirror=ftp://b/2", "mirror=b", "split=5",
        "http://b/2",
    ])
    func `A URL with a wrong field is rejected, with its place`(field: String) {
        for text in ["http://a/1\n\nhttp://a/2\t\(field)\nhttp://a/3", "http://a/1\nhttp://a/2\n \(field)\nhttp://a/3"]
        {
            let list = URLList(text: text, name: "x")
            // An indented URL is a URL.
            if field.hasPrefix("http"), text.contains("\n http") { continue }
            #expect(list.entries.map(\.url.absoluteString) == ["http://a/1", "http://a/3"])
            #expect(list.badLines.map(\.source) == ["x:3"])
        }
    }

    @Test func `A field before the first URL is rejected`() {
        let list = URLList(text: "  out=a\nhttp://a/1", name: "x")
        #expect(list.entries.map(\.path) == [nil])
        #expect(list.badLines.map(\.source) == ["x:1"])
        #expect(list.badLines.map(\.lines) == [.text("  out=a")])
    }

    @Test func `A list keeps bytes that are not UTF-8 as percent-encoding`() {
        let bytes = "http://a/caf".utf8 + [0xE9] + "\nhttp://a/日\n".utf8 + [0xF0, 0x9F] + "x\n".utf8
        let list = URLList(bytes: bytes, name: "x")
        #expect(list.entries.map(\.url.absoluteString) == ["http://a/caf%E9", "http://a/%E6%97%A5"])
        #expect(list.badLines.map(\.reason) == [URLText.complaint("%F0%9Fx")])
    }

    @Test(
        arguments: [
            ([], ""), (Array("日本".utf8), "日本"), ([0xFF], "%FF"), ([0x41, 0xC3], "A%C3"), ([0xC3, 0x41], "%C3A"),
            ([0xED, 0xA0, 0x80], "%ED%A0%80"), ([0xE9, 0xC3, 0xA9], "%E9é"),
        ] as [([UInt8], String)])
    func `A string made from bytes percent-encodes those that are not UTF-8`(bytes: [UInt8], text: String) {
        #expect(String(bytes: bytes) == text)
    }
}
