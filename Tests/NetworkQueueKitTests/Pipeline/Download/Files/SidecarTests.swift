import Foundation
import Testing

@testable import NetworkQueueKit

struct SidecarTests {
    @Test(arguments: [
        Sidecar(
            url: "http://a/b?c=d", validators: Validators(entityTag: "\"x y\"".replacing(" ", with: "")), total: 10),
        Sidecar(url: "http://a/", validators: Validators(date: "Sun, 06 Nov 1994 08:49:37 GMT"), total: nil, synced: 7),
        Sidecar(url: "http://a/", validators: Validators(entityTag: "\"\""), total: 0, boot: "b"),
        Sidecar(
            url: "http://a/",
            validators: Validators(entityTag: "\"\"", modified: Date(timeIntervalSince1970: 784_111_777)), total: 1,
            coding: "gzip"),
    ])
    func `A sidecar is read as it was written`(_ sidecar: Sidecar) {
        #expect(Sidecar(sidecar.text) == sidecar)
    }

    @Test
    func `No beginning of a sidecar is a sidecar`() {
        let text = Sidecar(url: "http://a/", validators: Validators(entityTag: "\"tag\""), total: 123).text
        for length in 0..<text.count { #expect(Sidecar(String(text.prefix(length))) == nil, "\(length)") }
    }

    @Test
    func `A weak tag, a negative number and a repeated line make no sidecar`() {
        let text = Sidecar(url: "http://a/", validators: Validators(entityTag: "\"tag\""), total: 123).text
        for (from, to) in [
            ("etag \"", "etag W/\""), ("total 123", "total -1"), ("synced 0", "synced -1"),
            ("synced 0", "synced 0\nsynced 0"),
            ("etag", "tag"), ("url ", "uri "), ("boot ", "boot"),
        ] { #expect(Sidecar(text.replacing(from, with: to)) == nil, "\(to)") }
    }

    /// To `Character`, an accent is one with the space or line feed before it.
    @Test(arguments: ["\u{301}", "\u{200D}", "e\u{301}", "\u{E9}"])
    func `Lines and words end at their bytes, whatever characters those make`(accent: String) throws {
        for sidecar in [
            Sidecar(url: "http://a/", validators: Validators(entityTag: "\"\(accent)tag\(accent)\""), total: 123),
            Sidecar(
                url: "\(accent)http://a/\(accent)", validators: Validators(date: "\(accent)Sun\(accent)"), total: nil),
            Sidecar(url: "http://a/", validators: Validators(entityTag: "\"\""), total: 1, boot: "\(accent)b\(accent)"),
            // CR and LF are one, too.
            Sidecar(url: "http://a/\r", validators: Validators(entityTag: "\"tag\""), total: 1, boot: "b\r"),
        ] {
            let read = try #require(Sidecar(sidecar.text))
            #expect(read.text.utf8.elementsEqual(sidecar.text.utf8))
        }
        let text = Sidecar(url: "http://a/", validators: Validators(entityTag: "\"tag\""), total: 123).text
        for (from, to) in [
            ("part 1\n", "part 1\(accent)\n"), ("\nend", "\n\(accent)end"), ("end\n", "end\(accent)\n"),
            ("total 123", "total 123\(accent)"), ("total ", "total \(accent)"), ("total", "\(accent)total"),
            ("part 1\n", "part 1\r\n"), ("end\n", "end\r\n"),
        ] { #expect(Sidecar(text.replacing(from, with: to)) == nil, "\(to)") }
    }

    @Test(arguments: ["+1", "-0", " 1", "", "1e3", "١", "99999999999999999999"])
    func `A number consists of digits alone`(text: String) {
        let sidecar = Sidecar(url: "http://a/", validators: Validators(entityTag: "\"tag\""), total: 123).text
        #expect(Sidecar(sidecar.replacing("total 123", with: "total \(text)")) == nil)
        #expect(Sidecar(sidecar.replacing("synced 0", with: "synced \(text)")) == nil)
    }

    @Test
    func `Tags that only look the same are different`() {
        let tag = Validators(entityTag: "\"e\u{301}\"")
        #expect(tag.match(["ETag": "\"e\u{301}\""]))
        #expect(!tag.match(["ETag": "\"\u{E9}\""]))
    }

    @Test
    func `A tag that is not UTF-8 is not used to resume`() {
        var headers = HTTPHeaders()
        headers.append(name: "ETag", value: String(decoding: [0x22, 0xE9, 0x22], as: UTF8.self))
        #expect(!Validators(headers).areUsable)
    }

    @Test(
        arguments: [
            ("bytes 0-4/10", .part(first: 0, last: 4, total: 10)),
            ("Bytes 5-9/*", .part(first: 5, last: 9, total: nil)),
            ("bytes */10", .unsatisfied(total: 10)), ("bytes */*", nil), ("bytes 5-4/10", nil), ("bytes 0-10/10", nil),
            ("bytes 0-/10", nil), ("bytes -4/10", nil), ("0-4/10", nil), ("bytes 0-4", nil), ("bytes +0-4/10", nil),
            ("bytes 0-99999999999999999999/*", nil), ("", nil), ("bytes 0-4/10, bytes 0-4/10", nil),
        ] as [(String, ContentRange?)])
    func `A Content-Range is read in its three forms and in no other`(
        _ text: String, _ expected: ContentRange?
    ) {
        #expect(ContentRange(text) == expected)
    }
}

struct SidecarRangesTests {
    private static let sidecar: Sidecar = {
        var sidecar = Sidecar(url: "http://a/", validators: Validators(entityTag: "\"1\""), total: 1000)
        sidecar.ranges = [0..<100, 200..<300]
        return sidecar
    }()

    @Test
    func `What is there is read back as it was written`() {
        for ranges in [[], [0..<1], [5..<7], [0..<100, 101..<1000]] as [[Range<Int64>]] {
            var sidecar = Self.sidecar
            sidecar.ranges = ranges
            #expect(Sidecar(sidecar.text) == sidecar)
        }
    }

    @Test
    func `The last line that has been added counts, and the beginning of one does not`() {
        let text = Self.sidecar.text + Sidecar.amendment([0..<150, 200..<300]) + Sidecar.amendment([0..<300])
        #expect(Sidecar(text)?.ranges == [0..<300])
        #expect(Sidecar(text + "have 0-99")?.ranges == [0..<300])
        for cut in 1..<Sidecar.amendment([0..<300]).utf8.count {
            #expect(Sidecar(String(text.dropLast(cut)))?.ranges == [0..<150, 200..<300])
        }
    }

    @Test(arguments: [
        "have 0-", "have -1", "have 5-4", "have 0-1000", "have 0-99 100-199", "have 0-99  200-299", "have 200-299 0-99",
        "have 0-99 50-60", "have +0-9", "other 1", "",
    ])
    func `A line that makes no sense makes the sidecar worthless`(line: String) {
        #expect(Sidecar(Self.sidecar.text + line + "\n") == nil)
        if !line.isEmpty { #expect(Sidecar(Self.sidecar.text.replacing("have 0-99 200-299", with: line)) == nil) }
        var plain = Self.sidecar
        plain.ranges = nil
        #expect(Sidecar(plain.text + Sidecar.amendment([0..<10])) == nil, "without ranges the length counts")
    }

    @Test
    func `After a start of the system only what is known to be on the disk counts`() {
        var sidecar = Self.sidecar
        #expect(sidecar.trustedLength(of: 300) == 100 && sidecar.trustedRest == 200)
        sidecar.boot = "another"
        #expect(sidecar.trustedLength(of: 300) == 0 && sidecar.trustedRest == nil)
        sidecar.synced = 80
        #expect(sidecar.trustedLength(of: 300) == 80)
    }
}
