import Foundation
import Testing

@testable import NetworkQueueKit

struct URLUserInformationTests {
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
