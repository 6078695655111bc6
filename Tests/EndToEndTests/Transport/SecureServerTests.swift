#if canImport(Glibc)
    import Foundation
    import Testing

    @testable import NetworkQueueKit

    struct SecureServerTests {
        private let server = SecureServer()

        private func transfer() throws -> CurlTransfer {
            let configuration = TransportConfiguration()
            let url = try #require(URL(string: "https://127.0.0.1/"))
            return CurlTransfer(
                HTTPExchange(url: url), receiver: EventRecorder(), configuration: configuration,
                loop: CurlLoop(configuration: configuration))
        }

        @Test func `One exchange at a time connects to a server without a connection`() throws {
            let (first, second, third) = (try transfer(), try transfer(), try transfer())
            #expect(server.admit(first) && !server.admit(second) && server.hasPioneer)
            _ = server.end(first)
            #expect(!server.hasPioneer)
            #expect(server.admit(second) && !server.admit(third))
        }

        @Test func `Exchanges with a server that speaks HTTP/1.1 wait for none`() throws {
            server.note(httpVersion: "HTTP/1.1", isConnectionNew: true)
            for _ in 0..<3 { #expect(server.admit(try transfer())) }
            #expect(!server.hasPioneer && server.sharesConnections == false)
        }

        @Test func `A new connection tells which HTTP a server speaks, and an old one only that it speaks HTTP/2`() {
            #expect(server.sharesConnections == nil)
            server.note(httpVersion: "HTTP/1.1", isConnectionNew: false)
            #expect(server.sharesConnections == nil)
            server.note(httpVersion: "HTTP/2", isConnectionNew: false)
            #expect(server.sharesConnections == true)
            server.note(httpVersion: "HTTP/1.1", isConnectionNew: true)
            #expect(server.sharesConnections == false)
        }

        @Test(arguments: [
            ("https://host/path", "https://host"), ("https://host:8443/a/b?c", "https://host:8443"),
            ("https://host?query", "https://host"), ("https://[::1]:1/", "https://[::1]:1"),
            ("HTTPS://host", "HTTPS://host"),
            ("http://host/path", nil), ("http://s", nil), ("https", nil), ("", nil),
        ])
        func `A server is known by scheme and authority of an https URL`(url: String, server: String?) {
            #expect(SecureServers.name(of: url) == server)
        }
    }
#endif
