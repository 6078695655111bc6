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
    func `of a URL, name and password go and the rest stays`(text: String, expected: String) {
        #expect(text.withoutUserInformation == expected)
    }

    @Test(arguments: [
        "http://u:pa/ss@h/", "http://u:pa?ss@h/", "http://u:pa#ss@h/", "http:/u:p@h/", "http:///u:p@h/", "http:u:p@h/",
        "u:p@h/", "http://u:p@", "http://u:p@:80/", "//u:p/q@h", "http://u:p@h:port/x@y", "u:p@h@i",
    ])
    func `of a text that is no URL, all up to the last sign goes`(text: String) {
        let rest = text.withoutUserInformation
        #expect(!rest.contains("u:") && !rest.contains("@") && !rest.contains("ss"), "\(rest)")
    }

    @Test(arguments: [
        ("http://u:80/p@h:1/", "http://h:1/"), ("u:p@h:1", "h:1"), ("h:1", "h:1"), ("socks5h://u:p@h", "socks5h://h"),
    ])
    func `of a proxy, all up to the last sign goes`(text: String, expected: String) {
        #expect(text.withoutProxyUserInformation == expected)
    }

    @Test(arguments: [
        ("see 'http://u:p@h/a' or <https://u@i>, ask a@b", "see 'http://h/a' or <https://i>, ask a@b"),
        ("no 'http://u:it's@h/a', no", "no 'http://h/a', no"), ("('https://u:('@h')", "('https://h')"),
        ("a  b\n", "a  b\n"), ("a@b", "a@b"), ("x //u:p@h\n", "x //h\n"), ("@", "@"), ("", ""),
    ])
    func `in a text, it goes from the URLs alone`(text: String, expected: String) {
        #expect(text.withoutUserInformationInURLs == expected)
    }
}
