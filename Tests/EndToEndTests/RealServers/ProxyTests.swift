#if canImport(Glibc)
    import Foundation
    import LoopbackHTTP
    import NetworkQueueKit
    import TestSupport
    import Testing

    /// Apache as a proxy, in the clear and with CONNECT.
    @Suite(
        .enabled(if: ApacheServer.isInstalled, "Apache is not installed"),
        .enabled(if: NginxServer.canServeTLS, "nginx or openssl is not installed"), .timeLimit(.minutes(10)))
    struct ProxyTests {
        typealias Scheme = ProxiedServers.Scheme

        private func makeRig(
            _ scheme: Scheme, user: String? = nil, server: String = "",
            credential: @escaping @Sendable (AuthenticationChallenge) -> URLCredential? = { _ in nil }
        ) throws -> (ProxiedServers, LiveRig<NetworkQueue>) {
            let servers = try ProxiedServers(scheme, user: user, server: server)
            let rig = try LiveRig(
                .curl, server: servers.origin, transport: servers.configuration,
                configure: { $0.maxConcurrentRequestCount = 4 }, credential: credential)
            return (servers, rig)
        }

        @Test(arguments: [false, true])
        func `All requests go through a proxy`(isSecure: Bool) async throws {
            let (servers, rig) = try makeRig(.none)
            defer { servers.stop() }
            let operations = (0..<20).map { rig.queue.add(servers.url("\($0)", isSecure: isSecure)) }
            let summary = await rig.queue.run()
            #expect(summary.counts == .init(finished: 20), "\(summary.firstFailure?.error.description ?? "")")
            for operation in operations {
                // Not the proxy's answer to CONNECT, which is a 200 too.
                #expect(operation.responseHead?.headers["Content-Type"] == "application/json")
                #expect(rig.recorder.story(of: operation) == ["start", "head 200", "finish"])
            }
            #expect(rig.server.requests.count == 20)
            let requests = try servers.proxy.requests()
            let agent = TransportConfiguration().userAgent
            #expect(rig.server.requests.allSatisfy { $0.headers.values(for: "User-Agent") == [agent] })
            #expect(requests.allSatisfy { $0.components(separatedBy: "|User-Agent:\(agent)").count == 2 })
            if isSecure {
                #expect((1...4).contains(requests.count) && requests.allSatisfy { $0.hasPrefix("CONNECT ") })
            } else {
                #expect(requests.count == 20 && requests.allSatisfy { $0.hasPrefix("GET http%3a//") })
            }
        }

        @Test func `Requests in the clear and with CONNECT take turns on a handle`() async throws {
            let (servers, rig) = try makeRig(.none)
            defer { servers.stop() }
            let agent = TransportConfiguration().userAgent
            for number in 0..<12 {
                let operation = rig.queue.add(servers.url("\(number)", isSecure: number % 3 == 1))
                await rig.queue.run()
                #expect(operation.isFinished && operation.error == nil)
                #expect(rig.server.requests.last?.target == "/\(number)")
                #expect(rig.server.requests.last?.headers.values(for: "User-Agent") == [agent])
            }
            let requests = try servers.proxy.requests()
            #expect(requests.contains { $0.hasPrefix("CONNECT ") })
            #expect(requests.allSatisfy { $0.components(separatedBy: "|User-Agent:\(agent)").count == 2 })
        }

        /// The handles of libcurl are used again, and must not take a new tunnel for the server's answer.
        @Test func `Each request may have a tunnel of its own`() async throws {
            let (servers, rig) = try makeRig(.basic, server: "keepalive_timeout 0;") { _ in .test("user", "word") }
            defer { servers.stop() }
            for round in 0..<3 {
                var operations: [RequestOperation] = []
                // From the second round on, those that are added first may be over before the others are added.
                let summary = await rig.queue.run {
                    operations = (0..<8).map { rig.queue.add(servers.url("\(round)-\($0)", isSecure: true)) }
                }
                #expect(summary.counts == .init(finished: 8), "\(summary.firstFailure?.error.description ?? "")")
                for operation in operations {
                    #expect(operation.responseHead?.headers["Content-Type"] == "application/json")
                    #expect(rig.recorder.story(of: operation).suffix(2) == ["head 200", "finish"])
                }
            }
            #expect(rig.recorder.challenges.count == 1 && rig.server.requests.count == 24)
        }

        @Test(arguments: [Scheme.basic, .digest], [false, true])
        func `A proxy's question goes to the delegate once, and again when the answer was wrong`(
            scheme: Scheme, isSecure: Bool
        ) async throws {
            let (servers, rig) = try makeRig(scheme) {
                $0.previousFailureCount == 0 ? .test("user", "worm") : .test("user", "word")
            }
            defer { servers.stop() }
            let operations = (0..<30).map { rig.queue.add(servers.url("\($0)?q=1", isSecure: isSecure)) }
            let summary = await rig.queue.run()
            #expect(summary.counts == .init(finished: 30), "\(summary.firstFailure?.error.description ?? "")")
            #expect(rig.recorder.challenges.map(\.previousFailureCount) == [0, 1])
            #expect(rig.recorder.challenges.map(\.rejectedCredential?.password) == [nil, "worm"])
            #expect(
                rig.recorder.challenges.allSatisfy {
                    $0.isProxy && $0.realm == "realm" && $0.scheme == (scheme == .basic ? .basic : .digest)
                        && $0.response.statusCode == 407
                })
            #expect(operations.allSatisfy { $0.attempts == 1 && $0.responseHead?.statusCode == 200 })
            #expect(rig.server.requests.count == 30)
            #expect(rig.server.requests.allSatisfy { $0.headers["Proxy-Authorization"] == nil })
        }

        @Test(arguments: [Scheme.basic, .digest], [false, true])
        func `A proxy gets the credentials of its URL in the scheme that it asks for`(
            scheme: Scheme, isSecure: Bool
        ) async throws {
            let (servers, rig) = try makeRig(scheme, user: "user:word")
            defer { servers.stop() }
            for number in 0..<10 { rig.queue.add(servers.url("\(number)", isSecure: isSecure)) }
            let summary = await rig.queue.run()
            #expect(summary.counts == .init(finished: 10), "\(summary.firstFailure?.error.description ?? "")")
            #expect(rig.recorder.challenges.isEmpty)
            #expect(rig.server.requests.allSatisfy { $0.headers["Proxy-Authorization"] == nil })
            let requests = try servers.proxy.requests()
            let answers = requests.filter { $0.contains("|Proxy-Authorization:") }
            #expect(
                answers.allSatisfy { $0.contains("|Proxy-Authorization:\(scheme == .basic ? "Basic" : "Digest") ") })
            // No more than those that are under way before the first answer.
            #expect((1...4).contains(requests.count - answers.count))
        }

        @Test(arguments: [false, true])
        func `A proxy gets the delegate's answer in place of wrong credentials in its URL`(isSecure: Bool) async throws
        {
            let (servers, rig) = try makeRig(.basic, user: "user:worm") { _ in .test("user", "word") }
            defer { servers.stop() }
            for number in 0..<10 { rig.queue.add(servers.url("\(number)", isSecure: isSecure)) }
            let summary = await rig.queue.run()
            #expect(summary.counts == .init(finished: 10), "\(summary.firstFailure?.error.description ?? "")")
            #expect(rig.recorder.challenges.count == 1)
        }

        @Test(arguments: [false, true])
        func `A proxy's 407 is the response if no credential is known`(isSecure: Bool) async throws {
            let (servers, rig) = try makeRig(.basic)
            defer { servers.stop() }
            let operations = (0..<10).map { _ in rig.queue.add(servers.url("x", isSecure: isSecure)) }
            await rig.queue.run()
            #expect(operations.map(\.error?.code) == Array(repeating: .httpStatus(407), count: 10))
            #expect(operations.allSatisfy { $0.responseHead?.statusCode == 407 })
            #expect(rig.recorder.challenges.count == 1 && rig.server.requests.isEmpty)
        }

        @Test(arguments: [Scheme.basic, .digest], [false, true])
        func `Content is sent again after a proxy's question`(scheme: Scheme, isSecure: Bool) async throws {
            let (servers, rig) = try makeRig(scheme) { _ in .test("user", "word") }
            defer { servers.stop() }
            let content = Data(GeneratedContent(size: 300_000, seed: 4).bytes(in: 0..<300_000))
            let operations = ["PUT", "POST"].map { method in
                var request = NetworkRequest(servers.url("echo", isSecure: isSecure))
                request.urlRequest.httpMethod = method
                request.body = .data(content)
                return rig.queue.add(request)
            }
            let summary = await rig.queue.run()
            #expect(summary.counts == .init(finished: 2), "\(summary.firstFailure?.error.description ?? "")")
            for operation in operations {
                let echo = try JSONDecoder().decode(Echo.self, from: #require(operation.data))
                #expect(echo.checksum == Echo.hexadecimal(ContentChecksum.of(content)))
            }
            #expect(rig.recorder.challenges.count == 1)
        }

        /// The proxy hears nothing of what goes through a tunnel, the server nothing of what opened it.
        @Test func `A proxy and a server each get their own credentials and no other's`() async throws {
            let (servers, rig) = try makeRig(
                .basic, server: "auth_basic server; auth_basic_user_file FOLDER/users;"
            ) { _ in .test("user", "word") }
            defer { servers.stop() }
            for number in 0..<10 {
                var request = NetworkRequest(servers.url("\(number)", isSecure: true))
                request.urlRequest.setValue("secret", forHTTPHeaderField: "X-Secret")
                rig.queue.add(request)
            }
            let summary = await rig.queue.run()
            #expect(summary.counts == .init(finished: 10), "\(summary.firstFailure?.error.description ?? "")")
            #expect(Set(rig.recorder.challenges.map(\.isProxy)) == [false, true] && rig.recorder.challenges.count == 2)
            for request in rig.server.requests {
                #expect(request.headers["Proxy-Authorization"] == nil)
                #expect(
                    request.headers["Authorization"] == "Basic dXNlcjp3b3Jk" && request.headers["X-Secret"] == "secret")
            }
            let tunnels = try servers.proxy.requests()
            #expect(!tunnels.isEmpty && tunnels.allSatisfy { $0.hasPrefix("CONNECT ") })
            #expect(!tunnels.contains { $0.contains("|Authorization:") || $0.contains("X-Secret") })
            #expect(tunnels.contains { $0.contains("|Proxy-Authorization:Basic dXNlcjp3b3Jk") })
        }

        @Test func `A server behind a tunnel is not told the proxy's credentials, whatever it asks`() async throws {
            let (servers, rig) = try makeRig(
                .basic, server: "add_header Proxy-Authenticate 'Basic realm=realm' always; return 407;"
            ) { _ in .test("user", "word") }
            defer { servers.stop() }
            let operations = (0..<5).map { rig.queue.add(servers.url("\($0)", isSecure: true)) }
            await rig.queue.run()
            #expect(operations.allSatisfy { $0.error?.code == .httpStatus(407) })
            // By the proxy, for the tunnel.
            #expect(rig.recorder.challenges.count == 1)
        }
    }
#endif
