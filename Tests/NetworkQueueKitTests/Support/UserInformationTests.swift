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
}
