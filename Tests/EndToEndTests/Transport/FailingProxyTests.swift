import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// What errors tell of a proxy that cannot be used: not its name and password.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct FailingProxyTests {
    /// Proxies that cannot be found, cannot be reached, or are no proxies.
    private static let proxies =
        PlantedSecret.userInformation.flatMap { user in
            [
                "http://\(user)@127.0.0.1:1", "\(user)@127.0.0.1:1", "socks5://\(user)@127.0.0.1:1",
                "http://\(user)@proxy.invalid:1", "http://\(user)/@127.0.0.1:1", "http://\(user)@127.0.0.1:port",
                "nonsense://\(user)@127.0.0.1:1", "http://\(user)#@127.0.0.1", "http://\(user)@[::1", "http://\(user)@",
            ]
        } + [
            "http://\(PlantedSecret.user)/\(PlantedSecret.word)@127.0.0.1",
            "http://\(PlantedSecret.user):\(PlantedSecret.word)",
        ]

    /// All that a user may print of a failed request over a transport.
    private static func traces(_ transport: any Transport, to url: URL) async -> (hasFailed: Bool, traces: [String]) {
        let queue = NetworkQueue(transport: transport, delegateQueue: DispatchQueue(label: "FailingProxyTests"))
        queue.showsAccurateProgress = false
        let operation = queue.add(url)
        let summary = await queue.run()
        guard let error = operation.error else { return (false, PlantedSecret.traces(in: operation)) }
        var values: [Any] = [
            operation, summary, error, error.underlying as Any, error.description, error.localizedDescription,
            transport,
        ]
        if let beneath = error.underlying { values += [beneath.localizedDescription, (beneath as NSError).userInfo] }
        return (true, values.flatMap(PlantedSecret.traces(in:)))
    }

    @Test(arguments: TransportKind.allCases.filter { !$0.has(.ignoresProxySetting) })
    func `Credentials of a configured proxy are in no text of its failure`(kind: TransportKind) async throws {
        let server = try LoopbackServer()
        server.serve("/", .text("here"))
        for proxy in Self.proxies {
            // What Foundation cannot parse, a configuration cannot hold.
            guard let url = URL(string: proxy) else { continue }
            var configuration = TransportConfiguration.patient
            configuration.proxy = url
            let outcome = await Self.traces(try kind.makeTransport(configuration), to: server.url)
            #expect(outcome.traces.isEmpty, "\(proxy): \(outcome.traces.joined(separator: "\n"))")
            #expect(outcome.hasFailed, "\(proxy)")
        }
    }

    /// With URLSession on Linux, which takes the environment's proxies alone, the process of its own below shows it.
    #if canImport(Glibc)
        private func failed(_ url: String, through proxy: String, retries: Int = 0) async throws -> RequestOperation {
            var configuration = TransportConfiguration.patient
            configuration.proxy = URL(string: proxy)
            let queue = RequestQueue(transport: try TransportKind.curl.makeTransport(configuration))
            queue.retryPolicy = RetryPolicy(maxRetries: retries, backoff: .constant(.zero))
            let operation = queue.add(try #require(URL(string: url)))
            _ = try? await operation.response()
            return operation
        }

        @Test(arguments: [
            ("http://name:word@127.0.0.1:1", "http", "Could not connect to the proxy 127.0.0.1:1"),
            ("http://name:word@127.0.0.1:1", "https", "Could not connect to the proxy 127.0.0.1:1"),
            ("socks5://name:word@127.0.0.1:1", "http", "Could not connect to the proxy 127.0.0.1:1"),
            (
                "http://name:word@proxy.invalid:3128", "http",
                "Could not resolve the host of the proxy proxy.invalid:3128."
            ),
        ])
        func `An error names the host and port of a failing proxy in place of the server's`(
            proxy: String, scheme: String, text: String
        ) async throws {
            let operation = try await failed("\(scheme)://127.0.0.1:2/", through: proxy)
            #expect(operation.error?.description.hasPrefix(text) == true, "\(String(describing: operation.error))")
        }

        @Test func `An error names a proxy that refuses a tunnel, and not its credentials`() async throws {
            let proxy = try LoopbackServer(fallback: .text("no", status: 403))
            let place = "127.0.0.1:\(try #require(proxy.url.port))"
            let operation = try await failed("https://127.0.0.1:2/", through: "http://name:word@\(place)")
            #expect(operation.error?.code == .connectionLost)
            #expect(operation.error?.description == "The proxy \(place) did not connect to the server.")
        }

        /// libcurl's code 97 is not that the proxy cannot be reached (RFC 1928, sections 3 and 6; RFC 1929): it has
        /// been, and refuses. A refusal for want of credentials does not pass, so that it is not tried again.
        @Test(
            .enabled(if: PythonServer.isInstalled, "python3 or openssl is not installed"),
            arguments: [
                ("no method", .authenticationRequired, "requires authentication, and no valid credentials were given."),
                ("rejected", .authenticationRequired, "rejected the user name or password."),
                ("2", .connectionLost, "did not connect to the server."),
                ("5", .connectionLost, "did not connect to the server."),
            ] as [(String, NetworkError.Code, String)])
        func `An error tells whether a SOCKS proxy refuses the credentials or the connection`(
            refusal: String, code: NetworkError.Code, text: String
        ) async throws {
            let proxy = try PythonServer(
                """
                def serve(client):
                    client.recv(257)
                    if sys.argv[2] == 'no method': client.sendall(b'\\x05\\xff')
                    elif sys.argv[2] == 'rejected':
                        client.sendall(b'\\x05\\x02')
                        client.recv(513)
                        client.sendall(b'\\x01\\x01')
                    else:
                        client.sendall(b'\\x05\\x00')
                        client.recv(300)
                        client.sendall(b'\\x05' + bytes([int(sys.argv[2])]) + b'\\x00\\x01' + bytes(6))
                    client.recv(1)
                """, arguments: [refusal])
            let operation = try await failed(
                "http://127.0.0.1:2/", through: "socks5h://name:word@127.0.0.1:\(proxy.port)", retries: 1)
            #expect(operation.error?.code == code)
            #expect(operation.error?.description == "The proxy 127.0.0.1:\(proxy.port) \(text)")
            #expect(operation.attempts == (code == .authenticationRequired ? 1 : 2))
        }
    #endif

    /// In a process of its own, as below. Foundation on Linux does not pass a proxy's response on.
    @Test(arguments: TransportKind.allCases.filter { $0 != .urlSession })
    func `A proxy of the environment that wants a login is asked once, and says so`(kind: TransportKind) async throws {
        let name = kind.rawValue
        await #expect(processExitsWith: .success) { [name = name as String] in
            guard let kind = TransportKind(rawValue: name), let url = URL(string: "https://127.0.0.1:2/"),
                let proxy = try? LoopbackServer(
                    fallback: .text("no", status: 407).header("Proxy-Authenticate", "Basic realm=\"x\""))
            else { exit(2) }
            setenv("https_proxy", proxy.url.absoluteString, 1)
            setenv("no_proxy", "", 1)
            guard let transport = try? kind.makeTransport() else { exit(3) }
            var request = NetworkRequest(url)
            request.retryPolicy = RetryPolicy(maxRetries: 3, backoff: .constant(.zero))
            let operation = RequestQueue(transport: transport).add(request)
            _ = try? await operation.response()
            let text = operation.error?.description ?? "no error"
            FileHandle.standardError.write(Data("\(text), \(proxy.requests.count) requests\n".utf8))
            guard proxy.requests.count == 1, operation.attempts == 1 else { exit(4) }
            if operation.error?.code != .httpStatus(407) || !text.contains("407") { exit(5) }
        }
    }

    /// In a process of its own, whose environment is not shared with other tests.
    @Test(arguments: TransportKind.allCases)
    func `Credentials of a proxy of the environment are in no text of its failure`(kind: TransportKind) async throws {
        let name = kind.rawValue
        await #expect(processExitsWith: .success) { [name = name as String] in
            guard let kind = TransportKind(rawValue: name), let url = URL(string: "http://127.0.0.1:2/") else {
                exit(2)
            }
            for proxy in FailingProxyTests.proxies {
                setenv("http_proxy", proxy, 1)
                setenv("no_proxy", "", 1)
                guard let transport = try? kind.makeTransport() else { exit(3) }
                let outcome = await FailingProxyTests.traces(transport, to: url)
                guard outcome.hasFailed, outcome.traces.isEmpty else {
                    FileHandle.standardError.write(Data("\(proxy): \(outcome.traces)\n".utf8))
                    exit(1)
                }
            }
            setenv("http_proxy", "http://name:word@127.0.0.1:1", 1)
            guard let transport = try? kind.makeTransport() else { exit(3) }
            let operation = RequestQueue(transport: transport).add(url)
            _ = try? await operation.response()
            let text = operation.error?.description ?? "no error"
            FileHandle.standardError.write(Data("\(text)\n".utf8))
            if !text.hasPrefix("Could not connect to the proxy 127.0.0.1:1") { exit(4) }
        }
    }
}
