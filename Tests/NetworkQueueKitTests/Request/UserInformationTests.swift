import Foundation
import Testing

@testable import NetworkQueueKit

@Suite("Name and password of a URL")
struct UserInformationTests {
    @Test(arguments: [
        ("http://secret:mellon@h/", "http://h/"), ("http://secret@h", "http://h"), ("http://:mellon@h/a", "http://h/a"),
        ("http://a:b@mellon@h/", "http://h/"), ("HTTPS://secret:mellon@[::1]:8/a@b", "HTTPS://[::1]:8/a@b"),
        ("//secret:mellon@h/a", "//h/a"), ("ftp://secret:mellon@h/", "ftp://h/"),
        // No authority can be told from the rest.
        ("http://secret:mellon/x@h/", "http://h/"), ("http://secret:mellon?x@h/", "http://h/"),
        ("http://secret:mellon#x@h/a", "http://h/a"), ("http://[secret:mellon@h/", "http://h/"),
        ("http://secret:mellon@h:x/a@b", "http://b"), ("http:///secret:mellon@h/", "http://h/"),
        ("http:secret:mellon@h/", "http:h/"), ("http:/secret:mellon@h/", "http:h/"), ("h:mellon@x", "h:x"),
        ("http:\\\\secret:mellon@h", "http:h"), ("http://secret:mellon@", "http://"),
        ("http://secret:mellon@h:99999999999999999999/", "http://h:99999999999999999999/"),
    ])
    func `are left out of its text`(text: String, expected: String) {
        #expect(text.withoutUserInformation == expected)
        guard let url = URL(string: text) else { return }
        let shown = url.withoutUserInformation.absoluteString
        #expect(!shown.contains("secret") && !shown.contains("mellon"))
    }

    @Test(arguments: [
        "http://h/a@b", "http://h?a@b", "http://h#a@b", "http://h:80/a:b@c", "http://[::1]/a@b", "https://h", "a@b",
        "@", "",
        "file:///tmp/a:b@c", "/a@b", "http://h:/a@b",
    ])
    func `are not looked for elsewhere`(text: String) throws {
        #expect(text.withoutUserInformation == text)
        if let url = URL(string: text) { #expect(url.withoutUserInformation == url) }
    }

    @Test func `are left out of a URL that is relative to one with them`() throws {
        let url = try #require(URL(string: "b@c", relativeTo: URL(string: "http://secret:mellon@h/a/")))
        #expect(url.withoutUserInformation.absoluteString == "http://h/a/b@c")
    }
}
