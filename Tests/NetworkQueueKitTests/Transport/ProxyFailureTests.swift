import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

struct ProxyFailureTests {
    private func place(
        _ message: String, proxy: String? = nil, _ environment: [String: String] = [:],
        url: String = "http://host.test/",
        isCertain: Bool = false
    ) throws -> String? {
        let failure = ProxyFailure(configured: proxy.flatMap(URL.init(string:))) { environment[$0] }
        return failure.place(for: try #require(URL(string: url)), message: message, isCertain: isCertain)
    }

    @Test(
        arguments: [
            ("http://p:3128", "p:3128"), ("http://name:word@p:3128/", "p:3128"), ("p:1", "p:1"), ("p", "p:1080"),
            ("https://p", "p:443"), ("socks5h://[::1]:9", "[::1]:9"),
            ("http://name:w/o@r#d@10.0.0.1:8080", "10.0.0.1:8080"),
            ("http://name:word", nil), ("http://p:port", nil), ("http://[::1", nil), ("http://", nil),
            ("http://p:99999", nil),
            ("http://p/path", nil), ("http://na me", nil), ("", nil),
        ] as [(String, String?)])
    func `A proxy failure shows host and port of a plainly spelled proxy, and nothing of any other`(
        proxy: String, place: String?
    ) {
        #expect(ProxyFailure.place(of: proxy) == place)
    }

    @Test(arguments: [
        "Failed to connect to p port 1 after 0 ms: Couldn't connect to server",
        "Connection timed out after 15001 milliseconds",
        "Connection timeout after 15001 ms", "Resolving timed out after 15001 milliseconds",
        "Could not resolve proxy: p",
        "CONNECT tunnel failed, response 403", "Received HTTP code 403 from proxy after CONNECT",
        "Proxy CONNECT aborted",
    ])
    func `Every failure to connect is the proxy's if all requests go through one`(message: String) throws {
        #expect(try place(message, proxy: "http://name:word@p:1") == "p:1")
        #expect(try place(message, proxy: "http://p/path") == "")
    }

    @Test func `A failure behind the proxy is not the proxy's`() throws {
        #expect(try place("Operation timed out after 5 milliseconds", proxy: "http://p:1") == nil)
        #expect(try place("Recv failure: Connection reset by peer", proxy: "http://p:1") == nil)
        #expect(try place("anything", proxy: "http://p:1", isCertain: true) == "p:1")
    }

    @Test func `A proxy of the environment is told from a server by its name, as there may be exceptions`() throws {
        let message = "Failed to connect to p port 1 after 0 ms"
        #expect(try place(message, ["http_proxy": "http://p:1"]) == "p:1")
        #expect(try place("Failed to connect to p port 1: Connection refused", ["http_proxy": "p:1"]) == "p:1")
        #expect(try place(message, ["all_proxy": "p:1"]) == "p:1")
        #expect(try place("Failed to connect to ::1 port 1: refused", ["ALL_PROXY": "http://[::1]:1"]) == "[::1]:1")
        #expect(try place(message, ["http_proxy": "p:12"]) == nil && place(message, ["http_proxy": "p:2"]) == nil)
        #expect(try place("Failed to connect to p port 12 after", ["http_proxy": "p:1"]) == nil)
        #expect(try place(message, ["https_proxy": "p:1"]) == nil && place(message) == nil)
        #expect(try place(message, ["HTTPS_PROXY": "p:1"], url: "https://host.test/") == "p:1")
        #expect(try place("Could not resolve proxy: p", ["http_proxy": "p:1"]) == "p:1")
    }
}
