import Foundation
import Testing

@testable import NetworkQueueKit

struct SidecarTests {
    @Test(
        "What is written is read again",
        arguments: [
            Sidecar(url: "http://a/b?c=d", validator: .entityTag("\"x y\"".replacing(" ", with: "")), total: 10),
            Sidecar(url: "http://a/", validator: .date("Sun, 06 Nov 1994 08:49:37 GMT"), total: nil, synced: 7),
            Sidecar(url: "http://a/", validator: .entityTag("\"\""), total: 0, boot: "b"),
        ])
    func roundTrip(_ sidecar: Sidecar) {
        #expect(Sidecar(sidecar.text) == sidecar)
    }

    @Test("No beginning of a sidecar is a sidecar")
    func truncation() {
        let text = Sidecar(url: "http://a/", validator: .entityTag("\"tag\""), total: 123).text
        for length in 0..<text.count { #expect(Sidecar(String(text.prefix(length))) == nil, "\(length)") }
    }

    @Test("A weak tag, a negative number and a repeated line make no sidecar")
    func nonsense() {
        let text = Sidecar(url: "http://a/", validator: .entityTag("\"tag\""), total: 123).text
        for (from, to) in [
            ("etag \"", "etag W/\""), ("total 123", "total -1"), ("synced 0", "synced -1"),
            ("synced 0", "synced 0\nsynced 0"),
            ("etag", "tag"), ("url ", "uri "), ("boot ", "boot"),
        ] { #expect(Sidecar(text.replacing(from, with: to)) == nil, "\(to)") }
    }

    @Test("The length of a part is trusted while the system runs that writes it")
    func trust() {
        var sidecar = Sidecar(url: "http://a/", validator: .entityTag("\"tag\""), total: nil, synced: 4)
        #expect(sidecar.trustedLength(of: 9) == 9)
        sidecar.boot = "another"
        #expect(sidecar.trustedLength(of: 9) == 4 && sidecar.trustedLength(of: 3) == 3)
        sidecar.boot = Sidecar.unknownBoot
        #expect(sidecar.trustedLength(of: 9) == 4)
    }

    @Test(
        "A Content-Range is read in its three forms, and nothing else is one",
        arguments: [
            ("bytes 0-4/10", .part(first: 0, last: 4, total: 10)),
            ("Bytes 5-9/*", .part(first: 5, last: 9, total: nil)),
            ("bytes */10", .unsatisfied(total: 10)), ("bytes */*", nil), ("bytes 5-4/10", nil), ("bytes 0-10/10", nil),
            ("bytes 0-/10", nil), ("bytes -4/10", nil), ("0-4/10", nil), ("bytes 0-4", nil), ("bytes +0-4/10", nil),
            ("bytes 0-99999999999999999999/*", nil), ("", nil), ("bytes 0-4/10, bytes 0-4/10", nil),
        ] as [(String, ContentRange?)])
    func contentRange(_ text: String, _ expected: ContentRange?) {
        #expect(ContentRange(text) == expected)
    }
}
