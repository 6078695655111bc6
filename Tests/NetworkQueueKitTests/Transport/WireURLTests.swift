import Foundation
import Testing

@testable import NetworkQueueKit

struct WireURLTests {
    @Test(arguments: [
        "http://h", "https://h/", "HTTP://h/a", "http://h:80/a?b=c#d", "http://[::1]:8080/", "http://h/a@b",
        "http://h?a@b",
        "http://h/a:b?c://d", "http://127.0.0.1/%20",
    ])
    func `A URL of HTTP is sent as it is`(text: String) throws {
        #expect(try wireURL(text) == text)
    }

    @Test(arguments: [
        ("http://u@h/", "http://h/"), ("http://u:p@h:81/a@b", "http://h:81/a@b"), ("https://@h", "https://h"),
        ("http://u:p@[::1]/?a@b", "http://[::1]/?a@b"), ("http://a%40b:p@h/", "http://h/"),
    ])
    func `User information is left out`(text: String, expected: String) throws {
        #expect(try wireURL(text) == expected)
    }

    @Test(arguments: [
        ("http://h/a/../b", "http://h/b"), ("http://h/a/./b?c/../d", "http://h/a/b?c/../d"),
        ("HTTP://H:80/%2e%2E/b#c", "HTTP://H:80/b#c"), ("http://u:p@h/a/..?b@c", "http://h/?b@c"),
        ("http://[::1]/..", "http://[::1]/"), ("http://u@h/..", "http://h/"),
    ])
    func `Dot segments are removed`(text: String, expected: String) throws {
        #expect(try wireURL(text) == expected)
        let exchange = try HTTPExchange(NetworkRequest(#require(URL(string: text))))
        #expect(try exchange.wireURL() == expected && exchange.url.absoluteString == expected)
    }

    @Test(arguments: [
        ("http://h", "/"), ("http://h?a", "/?a"), ("http://h#a", "/"), ("http://h?#a", "/?"), ("http://h/", "/"),
        ("http://u:p@h:80/a%20b?c=%2f/d?#e", "/a%20b?c=%2f/d?"), ("https://[::1]/a/../b", "/b"), ("http://h//a", "//a"),
    ])
    func `The target is the text that stands in the request line`(text: String, expected: String) throws {
        #expect(try HTTPExchange(url: #require(URL(string: text))).requestTarget == expected)
        #expect(try HTTPExchange(NetworkRequest(#require(URL(string: text)))).requestTarget == expected)
        // That of a URL that cannot be sent.
        #expect(try HTTPExchange(url: #require(URL(string: "a/b"))).requestTarget == "/")
    }

    @Test(arguments: ["ftp://h/", "file:///etc/passwd", "ws://h", "data:,x", "foo:bar", "httpx://h", "mailto:a@b"])
    func `Schemes other than http and https are refused`(text: String) {
        #expect(code(text) == .unsupportedURL)
    }

    @Test(arguments: [
        "h", "/a", "//h/a", "?a:b", "#http://h", "http:", "http:a", "http:/a", "http://", "http:///a", "http://?a",
        "http://:80/",
        "http://u@/a", "http://u@:80/", "http://#a",
    ])
    func `A URL without scheme or host is refused`(text: String) {
        #expect(code(text) == .badURL)
    }

    @Test func `A URL that is changed is checked again, and a relative one is resolved against its base`() throws {
        var exchange = try HTTPExchange(NetworkRequest(try #require(URL(string: "http://u@h/a"))))
        #expect(exchange.url.user() == nil)
        let copy = exchange
        exchange.url = try #require(URL(string: "https://i/b"))
        #expect(try exchange.wireURL() == "https://i/b" && copy.wireURL() == "http://h/a")
        exchange.url = try #require(URL(string: "b?c", relativeTo: URL(string: "http://u@h/a/")))
        #expect(try exchange.wireURL() == "http://h/a/b?c")
        exchange.url = try #require(URL(string: "ftp://h/"))
        #expect(throws: URLError.self) { try exchange.wireURL() }
    }

    @Test func `An exchange is a value`() throws {
        let original = HTTPExchange(
            url: try #require(URL(string: "http://h/")), headers: ["A": "1"], idleTimeout: .seconds(1))
        var copy = original
        (copy.method, copy.proxyAuthorization) = ("PUT", "Basic eA==")
        (copy.idleTimeout, copy.totalTimeout) = (nil, .seconds(2))
        copy.headers["A"] = "2"
        #expect(original.method == "GET" && original.headers == ["A": "1"] && original.proxyAuthorization == nil)
        #expect(original.idleTimeout == .seconds(1) && original.totalTimeout == nil)
        #expect(copy.method == "PUT" && copy.headers == ["A": "2"] && copy.proxyAuthorization == "Basic eA==")
        #expect(copy.idleTimeout == nil && copy.totalTimeout == .seconds(2) && copy.url == original.url)
    }

    private func wireURL(_ text: String) throws -> String {
        try HTTPExchange(url: #require(URL(string: text))).wireURL()
    }

    private func code(_ text: String) -> URLError.Code? {
        // What Foundation does not take for a URL cannot get to a transport.
        guard let url = URL(string: text) else { return .badURL }
        do {
            _ = try HTTPExchange(url: url).wireURL()
            return nil
        } catch {
            return error.code
        }
    }
}
