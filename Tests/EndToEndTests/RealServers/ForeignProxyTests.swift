#if canImport(Glibc)
    import Foundation
    import LoopbackHTTP
    import NetworkQueueKit
    import TestSupport
    import Testing

    /// Proxies that are not to be trusted, and servers that pass themselves off as one.
    @Suite(.timeLimit(.minutes(10)))
    struct ForeignProxyTests {
        private let delegate = DelegateRecorder(credential: { _ in
            URLCredential(user: "mellon-user", password: "mellon-word", persistence: .none)
        })

        private func queue(proxy: String, cookies: HTTPCookieStorage? = nil) throws -> NetworkQueue {
            var transport = TransportConfiguration.patient
            transport.proxy = URL(string: proxy)
            let queue = try NetworkQueue.live(transport, cookies: cookies)
            queue.delegate = delegate
            return queue
        }

        @Test(arguments: ["407 Proxy Authentication Required", "200 Connected", "403 Forbidden", "302 Found"])
        func `A proxy sets no cookies for a server behind its tunnel`(status: String) async throws {
            let proxy = try LoopbackServer(
                fallback: .raw("HTTP/1.1 \(status)\r\nSet-Cookie: planted=1; Path=/\r\nContent-Length: 0\r\n\r\n"))
            let cookies = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
            let queue = try queue(proxy: proxy.url.absoluteString, cookies: cookies)
            let operation = queue.add(try #require(URL(string: "https://host.test/")))
            await queue.run()
            #expect(operation.error != nil && !proxy.requests.isEmpty)
            #expect(cookies.cookies?.isEmpty != false)
        }

        @Test(.enabled(if: PythonServer.isInstalled, "python3 is not installed"))
        func `A SOCKS proxy asks for no credentials in HTTP's way, so that a 407 is the server's`() async throws {
            let socks = try PythonServer(
                """
                def serve(client):
                    client.recv(2 + 255)
                    client.sendall(b'\\x05\\x00')
                    request = client.recv(4 + 300)
                    port = int.from_bytes(request[-2:], 'big')
                    server = socket.create_connection(('127.0.0.1', port))
                    client.sendall(b'\\x05\\x00\\x00\\x01\\x00\\x00\\x00\\x00\\x00\\x00')
                    while True:
                        for ready in select.select([client, server], [], [])[0]:
                            data = ready.recv(65536)
                            if not data: return
                            (server if ready is client else client).sendall(data)
                """)
            let server = try LoopbackServer(
                fallback: .status(407, headers: ["Proxy-Authenticate": "Basic realm=\"x\""]))
            let queue = try queue(proxy: "socks5h://127.0.0.1:\(socks.port)")
            let operation = queue.add(server.url)
            await queue.run()
            #expect(operation.error?.code == .httpStatus(407))
            #expect(server.requests.count == 1 && server.requests[0].headers["Proxy-Authorization"] == nil)
            #expect(delegate.story(of: operation) == ["start", "head 407", "fail httpStatus(407)"])
        }
    }
#endif
