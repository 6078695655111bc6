import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

struct UserInformationTests {
    @Test(arguments: [
        ("http://u:p@h/a", "http://h/a"), ("http://u@h:80/a@b?c@d#e@f", "http://h:80/a@b?c@d#e@f"),
        ("http://h/@scope/a", "http://h/@scope/a"), ("http://[::1]:80/a@b", "http://[::1]:80/a@b"),
        ("http://u:p@[::1]/", "http://[::1]/"), ("//u:p@h/", "//h/"), ("http://u:p@q@h/", "http://h/"),
        ("http://h?a@b", "http://h?a@b"), ("http://h", "http://h"), ("", ""), ("@", ""), ("http://@h/", "http://h/"),
    ])
    func `A URL loses name and password and keeps the rest`(text: String, expected: String) {
        #expect(text.withoutUserInformation == expected)
    }

    @Test(arguments: [
        "http://u:pa/ss@h/", "http://u:pa?ss@h/", "http://u:pa#ss@h/", "http:/u:p@h/", "http:///u:p@h/", "http:u:p@h/",
        "u:p@h/", "http://u:p@", "http://u:p@:80/", "//u:p/q@h", "http://u:p@h:port/x@y", "u:p@h@i",
    ])
    func `A text that is no URL loses all up to the last at sign`(text: String) {
        let rest = text.withoutUserInformation
        #expect(!rest.contains("u:") && !rest.contains("@") && !rest.contains("ss"), "\(rest)")
    }

    @Test(arguments: [
        ("http://u:80/p@h:1/", "http://h:1/"), ("u:p@h:1", "h:1"), ("h:1", "h:1"), ("socks5h://u:p@h", "socks5h://h"),
    ])
    func `A proxy's address loses all up to the last at sign`(text: String, expected: String) {
        #expect(text.withoutProxyUserInformation == expected)
    }

    @Test(arguments: [
        ("see 'http://u:p@h/a' or <https://u@i>, ask a@b", "see 'http://h/a' or <https://i>, ask a@b"),
        ("no 'http://u:it's@h/a', no", "no 'http://h/a', no"), ("('https://u:('@h')", "('https://h')"),
        ("a  b\n", "a  b\n"), ("a@b", "a@b"), ("x //u:p@h\n", "x //h\n"), ("@", "@"), ("", ""),
    ])
    func `A text loses name and password in its URLs alone`(text: String, expected: String) {
        #expect(text.withoutUserInformationInURLs == expected)
    }

    @Test(arguments: [
        "http://secret:mellon@h/",
        "http://secret@h",
        "http://:mellon@h/a",
        "http://a:b@mellon@h/",
        "HTTPS://secret:mellon@[::1]:8/a@b",
        "//secret:mellon@h/a",
        "ftp://secret:mellon@h/",
        "http://secret:mellon/x@h/",
        "http://secret:mellon?x@h/",
        "http://secret:mellon#x@h/a",
        "http://[secret:mellon@h/",
        "http://secret:mellon@h:x/a@b",
        "http:///secret:mellon@h/",
        "http:secret:mellon@h/",
        "http:/secret:mellon@h/",
        "h:mellon@x",
        "http:\\\\secret:mellon@h",
        "http://secret:mellon@",
        "http://secret:mellon@h:99999999999999999999/",
    ])
    func `Name and password are left out of a URL, whatever else is wrong with it`(text: String) {
        guard let url = URL(string: text) else { return }
        let shown = url.withoutUserInformation.absoluteString
        #expect(!shown.contains("secret") && !shown.contains("mellon"))
    }

    @Test(arguments: [
        "http://h/a@b", "http://h?a@b", "http://h#a@b", "http://h:80/a:b@c", "http://[::1]/a@b", "https://h",
        "file:///tmp/a:b@c", "/a@b", "http://h:/a@b",
    ])
    func `Name and password are not looked for outside their place in a URL`(text: String) throws {
        if let url = URL(string: text) { #expect(url.withoutUserInformation == url) }
    }

    @Test func `Name and password are left out of a URL that is relative to one with them`() throws {
        let url = try #require(URL(string: "b@c", relativeTo: URL(string: "http://secret:mellon@h/a/")))
        #expect(url.withoutUserInformation.absoluteString == "http://h/a/b@c")
    }
}
