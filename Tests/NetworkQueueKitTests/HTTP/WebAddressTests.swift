import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

struct WebAddressTests {
    @Test(arguments: [
        ("http://h/sub%20dir/mix [1].txt", "http://h/sub%20dir/mix%20%5B1%5D.txt"),
        ("http://h/%2f%2F%c3%A4?%2f&%c3#%2f", "http://h/%2f%2F%c3%A4?%2f&%c3#%2f"),
        ("http://h/a b?c d#e f", "http://h/a%20b?c%20d#e%20f"),
        ("http://h/日本?ä#ß", "http://h/%E6%97%A5%E6%9C%AC?%C3%A4#%C3%9F"),
        ("http://h/%|%zz|%4|%%41", "http://h/%25%7C%25zz%7C%254%7C%25%41"),
        (
            "http://h/[]^`{}\"<>|?[]^`{}\"<>|\\#[]^`{}\"<>|\\#",
            "http://h/%5B%5D%5E%60%7B%7D%22%3C%3E%7C"
                + "?%5B%5D%5E%60%7B%7D%22%3C%3E%7C%5C#%5B%5D%5E%60%7B%7D%22%3C%3E%7C%5C%23"
        ),
        (
            "http://h/-._~!$&'()*+,;=:@?-._~!$&'()*+,;=:@/?#-._~!$&'()*+,;=:@/?",
            "http://h/-._~!$&'()*+,;=:@?-._~!$&'()*+,;=:@/?#-._~!$&'()*+,;=:@/?"
        ),
        ("http://h/\u{1}\u{7F}\0", "http://h/%01%7F"), ("http://h/\0a", "http://h/%00a"),
        ("http://h?", "http://h/?"), ("http://h#", "http://h/#"), ("http://h?#", "http://h/?#"),
        ("http://h?a?b#c?d", "http://h/?a?b#c?d"), ("http://h#a?b", "http://h/#a?b"),
    ])
    func `A web address keeps encoded characters and encodes only those that may not stand in a URL`(
        text: String, expected: String
    ) throws {
        #expect(try #require(URL(webAddress: text)).absoluteString == expected)
    }

    @Test(arguments: [
        (" \u{1}\t http://h/a \n\u{0}", "http://h/a"), ("ht\ntp:/\r/h\t/a\nb", "http://h/ab"),
        ("HTTP://h/A", "http://h/A"), ("hTTps://H/", "https://h/"),
        ("http:h/a", "http://h/a"), ("http:/h/a", "http://h/a"), ("http:////h/a", "http://h/a"),
        ("http:\\\\h\\a\\..\\b?c\\d", "http://h/b?c%5Cd"), ("http:/\\/h", "http://h/"),
        ("http://h", "http://h/"), ("http://h//a//b/", "http://h//a//b/"),
    ])
    func `A web address is read as browsers read it`(text: String, expected: String) throws {
        #expect(try #require(URL(webAddress: text)).absoluteString == expected)
    }

    @Test(arguments: [
        ("/a/./b?c", "/a/b?c"), ("\\a\\..\\b", "/b"), ("/a/%2E%2e/b", "/b"), ("/a/%2e%2", "/a/%2e%252"),
        ("/a?/../b", "/a?/../b"), ("/a/..?b#/..", "/?b#/.."), ("/a#/../b", "/a#/../b"), ("/ä/../[/.", "/%5B/"),
        ("/..", "/"), ("/../../a", "/a"), ("/a/b/..", "/a/"), ("/.", "/"), ("/./", "/"), ("/../", "/"),
        ("/a/.%2e", "/"), ("/a/%2e./b", "/b"), ("/a//../b", "/a/b"), ("//..", "/"), ("//../..", "/"),
        ("/a/b/../../../c/./d/", "/c/d/"), ("/...", "/..."), ("/.a", "/.a"), ("/a.", "/a."), ("/..a/b..", "/..a/b.."),
        ("/%2ea", "/%2ea"), ("/%252e", "/%252e"), ("/%2e%2e%2e", "/%2e%2e%2e"),
    ])
    func `A web address has no dot segments in its path`(path: String, expected: String) throws {
        #expect(try #require(URL(webAddress: "http://h\(path)")).absoluteString == "http://h\(expected)")
    }

    @Test(arguments: [
        ("http://EXAMPLE.com/", "example.com"), ("http://a%62c.%44/", "abc.d"), ("http://a_b-c./", "a_b-c."),
        ("http://xn--mnchen-3ya.de/", "xn--mnchen-3ya.de"), ("http://München.de/", "xn--mnchen-3ya.de"),
        ("http://m%C3%BCnchen.de/", "xn--mnchen-3ya.de"), ("http://日本。jp/", "xn--wgv71a.jp"),
        ("http://faß.de/", "xn--fa-hia.de"), ("http://☃.net/", "xn--n3h.net"), ("http://ＥＸ.com/", "ex.com"),
        ("http://127.0.0.1/", "127.0.0.1"), ("http://127.1/", "127.0.0.1"), ("http://0x7F.0.0.1./", "127.0.0.1"),
        ("http://2130706433/", "127.0.0.1"), ("http://0177.1/", "127.0.0.1"), ("http://0x/", "0.0.0.0"),
        ("http://１２７.１/", "127.0.0.1"), ("http://1.2.3.com/", "1.2.3.com"), ("http://0x7g/", "0x7g"),
    ])
    func `A web address has a host that can be looked up`(text: String, host: String) throws {
        #expect(try #require(URL(webAddress: text)).absoluteString == "http://\(host)/")
    }

    @Test(arguments: [
        ("[::1]", "[::1]"), ("[FE80::A]", "[fe80::a]"), ("[::ffff:1.2.3.4]", "[::ffff:1.2.3.4]"),
        ("[fe80::1%25eth0]", "[fe80::1%25eth0]"), ("[1:2:3:4:5:6:7:8]", "[1:2:3:4:5:6:7:8]"),
    ])
    func `A web address may have an IPv6 address as its host`(host: String, expected: String) throws {
        for port in ["", ":8080"] {
            #expect(
                try #require(URL(webAddress: "http://\(host)\(port)/")).absoluteString == "http://\(expected)\(port)/")
        }
    }

    @Test(arguments: [
        ("http://h:80/", "http://h/"), ("https://h:443/", "https://h/"), ("https://h:80/", "https://h:80/"),
        ("http://h:/", "http://h/"), ("http://h:0/", "http://h:0/"), ("http://h:0008080/", "http://h:8080/"),
        ("http://h:65535/", "http://h:65535/"),
    ])
    func `A web address has a port unless it is the scheme's own`(text: String, expected: String) throws {
        #expect(try #require(URL(webAddress: text)).absoluteString == expected)
    }

    @Test(arguments: [
        ("http://u:p@h/", "http://u:p@h/"), ("http://u@h/", "http://u@h/"), ("http://:p@h/", "http://:p@h/"),
        ("http://u:@h/", "http://u@h/"), ("http://@h/", "http://h/"), ("http://:@h/", "http://h/"),
        ("http://a@b:c@d@h/", "http://a%40b:c%40d@h/"), ("http://u:p:q%3A@h/", "http://u:p%3Aq%3A@h/"),
        ("http://ü |%:[%zz]@h/", "http://%C3%BC%20%7C%25:%5B%25zz%5D@h/"), ("http://u;=:p;=@h/", "http://u;=:p;=@h/"),
    ])
    func `A web address keeps user name and password`(text: String, expected: String) throws {
        #expect(try #require(URL(webAddress: text)).absoluteString == expected)
    }

    @Test func `A web address gives user name and password to Foundation as they were typed`() throws {
        let url = try #require(URL(webAddress: "http://us%er:p@ss:w%20ord@h/"))
        #expect(url.user(percentEncoded: false) == "us%er" && url.password(percentEncoded: false) == "p@ss:w ord")
    }

    @Test(arguments: [
        "", " ", "h", "h/a", "example.com/x", "localhost:8080/x", "//h/a", "/a", "?a", "#a", ":", "://h", "http",
        "http:",
        "http:/", "http://", "http:///", "http://?a", "http://#a", "http://:80/", "http://u@/", "http://u:p@:80/",
        "ftp://h/", "file:///etc/passwd", "file://h/a", "ws://h/", "mailto:a@b", "javascript:alert(1)", "data:,x",
        "httpx://h/", "http s://h/", "1http://h/", "http+x://h/",
        "http://a b/", "http://a%20b/", "http://a%2fb/", "http://a%/", "http://%zz/", "http://a%00b/", "http://a<b/",
        "http://a|b/", "http://a^b/", "http://a\"b/", "http://a`b/", "http://{a}/", "http://a\u{7F}/", "http://h%25/",
        "http://a[b]/", "http://a]/", "http://%5B::1%5D/", "http://a%3Ab/", "http://a%40b/",
        "http://[::1/", "http://[::1]a/", "http://[]/", "http://[zz]/", "http://[1:2]/", "http://[v1.a]/",
        "http://[::1%eth0]/", "http://[::1%25]/", "http://[::1%25a/b]/", "http://[127.0.0.1]/", "http://[::1\0]/",
        "http://h:a/", "http://h:-1/", "http://h:+1/", "http://h:65536/", "http://h:99999999999999999999/",
        "http://h:1:2/",
        "http://h:8 0/", "http://256.1.1.1/", "http://1.2.3.4.5/", "http://0xg.1/", "http://08/", "http://4294967296/",
        "http://1..2/", "http://a.09/", "http://\u{AD}/", "http://a\u{200D}b/", "http://١/", "http://℀.com/",
        "http://ä..b/", "http://\u{202E}a/", "http://%FF/", "http://%C3/",
    ])
    func `A text that is no web address makes no URL`(text: String) {
        #expect(URL(webAddress: text) == nil)
    }

    @Test func `A web address has the request target that its text has`() throws {
        let address = try #require(WebAddress("http://u:p@h:81/a%20b/../c?d=e#f".utf8))
        #expect(address.requestTarget == "/c?d=e" && address.text == "http://u:p@h:81/c?d=e#f")
        #expect(address.withoutUserInformation.text == "http://h:81/c?d=e#f")
        #expect(try #require(WebAddress("http://h".utf8)).requestTarget == "/")
        #expect(try #require(WebAddress("http://h?".utf8)).requestTarget == "/?")
    }

    /// Every character in every place, and random bytes.
    @Test(arguments: 0..<10 as Range<UInt64>)
    func `Foundation keeps a web address as it is, whatever it was made from`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let pieces: [[UInt8]] =
            (0...255).map { [$0] }
            + [
                "http://", "https:", "//", "/../", "/./", "%2e", "[::1]", "u:p@", ":80", "%", "%4", "xn--", "日", "0x",
                "\\",
            ]
            .map { Array($0.utf8) }
        for _ in 0..<2000 {
            let count = Int.random(in: 0..<12, using: &random)
            let tail = (0..<count).flatMap { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }
            let start = ["http://h/", "http://", "http://u@h?", "https://h#", ""][
                Int.random(in: 0..<5, using: &random)]
            let bytes = Array(start.utf8) + tail
            for isInternational in [false, true] {
                guard let address = WebAddress(bytes, allowsInternationalHost: isInternational) else { continue }
                #expect(address.url?.absoluteString == address.text, "\(bytes)")
                // What has been read is read the same again.
                #expect(WebAddress(address.text.utf8) == address, "\(bytes)")
                #expect(address.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
            }
        }
    }
}
