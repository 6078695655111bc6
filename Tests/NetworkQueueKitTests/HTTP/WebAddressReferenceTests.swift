import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

struct WebAddressReferenceTests {
    private func resolved(_ reference: some Sequence<UInt8>, _ base: String = "http://a/b/c/d;p?q#f") throws -> String?
    {
        WebAddress(reference: reference, relativeTo: try #require(WebAddress(base.utf8)))?.text
    }

    /// RFC 3986, section 5.4, but for those that leave http.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
        (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
        ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
        ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
        ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
    ])
    func `A reference is resolved as the RFC's examples are`(reference: String, expected: String) throws {
        #expect(try resolved(reference.utf8) == expected)
    }

    @Test(arguments: [
        ("http:g", "http://a/b/c/g"), ("http:/g", "http://a/g"), ("HTTP:?y", "http://a/b/c/d;p?y"),
        ("http:", "http://a/b/c/d;p?q"),
        ("http://g", "http://g/"), ("http:///g", "http://g/"), ("https:g", "https://g/"), ("https:/g/h", "https://g/h"),
        ("\\g", "http://a/g"), ("\\\\g\\h", "http://g/h"), ("/\\g", "http://g/"), ("///g", "http://g/"),
        ("?", "http://a/b/c/d;p?"), ("#", "http://a/b/c/d;p?q#"), ("1:2", "http://a/b/c/1:2"),
        (":g", "http://a/b/c/:g"),
        (" \t g ", "http://a/b/c/g"), ("/a b%20[1]", "http://a/a%20b%20%5B1%5D"), ("%2e%2E/g", "http://a/b/g"),
        ("//u:p@g:81/", "http://u:p@g:81/"), ("//g:443", "http://g:443/"),
    ])
    func `A reference is resolved as browsers resolve it`(reference: String, expected: String) throws {
        #expect(try resolved(reference.utf8) == expected)
    }

    @Test func `A reference without a server has that of its base, with user, password and port`() throws {
        #expect(try resolved("g".utf8, "https://u:p@a:81") == "https://u:p@a:81/g")
        #expect(try resolved("//g".utf8, "https://u:p@a:81") == "https://g/")
        #expect(try resolved("?y".utf8, "https://[::1]:81/x") == "https://[::1]:81/x?y")
    }

    @Test func `A reference has its bytes encoded one by one, whatever they mean`() throws {
        #expect(try resolved([0x2F, 0xFC, 0x3F, 0xE4, 0xC3, 0xA4, 0x23, 0xFF]) == "http://a/%FC?%E4%C3%A4#%FF")
        #expect(try resolved([0x67, 0x00, 0x80, 0x7F]) == "http://a/b/c/g%00%80%7F")
    }

    @Test(arguments: [
        "ftp://h/", "mailto:a@b", "javascript:alert(1)", "data:,x", "file:///etc/passwd", "x:", "httpx:g",
        "https:", "https://", "//", "///", "//:80", "//u@", "//a b", "//h:x", "//h:65536", "//[::1", "//münchen.de/",
        "http://münchen.de/", "//m%C3%BCnchen.de/", "//%FF",
    ])
    func `A reference that leads to no usable address is refused`(reference: String) throws {
        #expect(try resolved(reference.utf8) == nil)
    }

    /// Each text `count` bytes long or thereabouts.
    private func texts(_ count: Int) -> [String] {
        let parts = ["a", "../", "%2e%2E/", "ü", "@", "\t", "1.", "\""]
        let starts = ["", "http://", "http://h/", "http://h?"]
        return starts.flatMap { start in
            parts.map { start + String(repeating: $0, count: count / $0.utf8.count) }
        } + ["http://h/" + String(repeating: "a/", count: count / 4) + String(repeating: "../", count: count / 6)]
    }

    /// What is quadratic would take minutes.
    @Test(.timeLimit(.minutes(10)))
    func `Reading an address takes a time that grows with the length and no faster`() throws {
        let base = try #require(WebAddress("http://a/b/c".utf8))
        for text in texts(4_000) {
            _ = URL(webAddress: text)
            _ = WebAddress(reference: text.utf8, relativeTo: base)?.url
            _ = text.withoutUserInformation
        }
    }
}
