#if canImport(Glibc)
    import Foundation
    import NetworkQueueKit
    import TestSupport
    import Testing

    /// Connections that take over the session of an earlier one, which spares the server's certificate and half the
    /// arithmetic.
    @Suite(.enabled(if: NginxServer.canServeTLS, "nginx or openssl is not installed"), .timeLimit(.minutes(10)))
    struct SessionResumptionTests {
        /// Runs requests, each over a connection of its own; returns which of them have resumed a session, by nginx's
        /// account.
        private func resumptions(count: Int, atATime: Int, server directives: String = "") async throws -> [Bool] {
            let folder = try TemporaryFolder()
            try folder.write("content", to: "file")
            let server = try NginxServer(
                root: folder.url,
                directives: "keepalive_timeout 0; add_header X-Resumed $ssl_session_reused;",
                isSecure: true, serverDirectives: directives)
            defer { server.stop() }
            var configuration = TransportConfiguration.patient(trusting: server.certificate)
            configuration.httpVersion = .http1
            let queue = RequestQueue(transport: try DefaultTransport.make(configuration))
            queue.maxConcurrentRequestCount = atATime
            // Of requests that are the same the queue would keep one.
            let operations = (0..<count).map { number in
                queue.add(server.url("file").appending(queryItems: [URLQueryItem(name: "number", value: "\(number)")]))
            }
            var resumed: [Bool] = []
            for operation in operations {
                resumed.append(try await operation.response().head.headers["X-Resumed"] == "r")
            }
            withExtendedLifetime(queue) {}
            #expect(Set(try await server.log(count: count).map(\.connection)).count == count)
            return resumed
        }

        /// By ticket: nginx remembers no sessions unless it is told to.
        @Test(arguments: ["TLSv1.2", "TLSv1.3"])
        func `TLS sessions are taken over by the connections that follow`(version: String) async throws {
            let resumed = try await resumptions(count: 20, atATime: 1, server: "ssl_protocols \(version);")
            #expect(resumed == [false] + Array(repeating: true, count: 19))
        }

        @Test func `TLS sessions that a server remembers by number are taken over, too`() async throws {
            let resumed = try await resumptions(
                count: 20, atATime: 1,
                server: "ssl_protocols TLSv1.2; ssl_session_tickets off; ssl_session_cache shared:sessions:1m;")
            #expect(resumed == [false] + Array(repeating: true, count: 19))
        }

        /// How many, libcurl decides: up to 8.11 each of its handles has sessions of its own, and uses one again and
        /// again; from then on handles share them, and use each ticket of TLS 1.3 once, of which nginx sends two for a
        /// whole handshake.
        @Test(arguments: ["TLSv1.2", "TLSv1.3"])
        func `TLS sessions are taken over by connections side by side, too`(version: String) async throws {
            let resumed = try await resumptions(count: 80, atATime: 8, server: "ssl_protocols \(version);")
            let count = resumed.count { $0 }
            #expect((8..<80).contains(count), "\(count) of 80")
        }
    }
#endif
