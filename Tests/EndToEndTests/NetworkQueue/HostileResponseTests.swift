import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// Responses of servers that mean harm: each does what it must to its own request, and nothing to others.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct HostileResponseTests {
    /// Such a response, and what has to become of it.
    struct Attack: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: Data
        /// `nil` where the response is fine but for what it says there.
        var code: NetworkError.Code?
        /// Why `URLSessionTransport` on Linux cannot be asked.
        var limitation: KnownLimitation?

        var testDescription: String { name }

        init(
            _ name: String, _ head: String, content: Data = Data(), _ code: NetworkError.Code?,
            limitation: KnownLimitation? = nil
        ) {
            self.name = name
            bytes = Data((head + "\r\n").utf8) + content
            self.code = code
            self.limitation = limitation
        }
    }

    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT\u{E9}"
    private static let empty = "Content-Length: 0\r\n"

    static let attacks = [
        Attack(
            "a Retry-After with an accent", "HTTP/1.1 503 Busy\r\nRetry-After: \(date)\r\n\(empty)", .httpStatus(503)),
        Attack(
            "a Date with an accent",
            "HTTP/1.1 503 Busy\r\nRetry-After: \(date.dropLast())\r\nDate: \(date)\r\n\(empty)", .httpStatus(503)),
        Attack("a cookie with accents", "HTTP/1.1 200 OK\r\nSet-Cookie: a=; \u{E9}p=;expires=\(date)\r\n\(empty)", nil),
        Attack(
            "95 KB of challenges",
            "HTTP/1.1 401 No\r\nWWW-Authenticate: \(String(repeating: "a,", count: 47_500))\r\n\(empty)",
            .badServerResponse),
        Attack(
            "33 challenges",
            "HTTP/1.1 401 No\r\n\(String(repeating: "WWW-Authenticate: Basic realm=x\r\n", count: 33))\(empty)",
            .badServerResponse),
        Attack(
            "2,000 cookies",
            "HTTP/1.1 200 OK\r\n\((0..<2000).map { "Set-Cookie: a\($0)=1; Max-Age=1000\r\n" }.joined())\(empty)",
            .badServerResponse),
        Attack(
            "a cookie of 5 KB",
            "HTTP/1.1 200 OK\r\nSet-Cookie: a=\(String(repeating: "x", count: 5000))\r\n\(empty)", .badServerResponse),
        Attack("4,000 equal fields", "HTTP/1.1 200 OK\r\n\(String(repeating: "X: y\r\n", count: 4000))\(empty)", nil),
        Attack(
            "a head of 400 KB",
            "HTTP/1.1 200 OK\r\n\((0..<400).map { "X-\($0): \(String(repeating: "x", count: 1015))\r\n" }.joined())\(empty)",
            .badServerResponse),
        Attack(
            "101 interim responses",
            String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", count: 101)
                + "HTTP/1.1 200 OK\r\n\(empty)",
            .badServerResponse),
        Attack(
            "a transfer coding that was not asked for",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, gzip, gzip, chunked\r\n", content: Data("0\r\n\r\n".utf8),
            .badServerResponse),
        Attack(
            "a transfer coding in two fields",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
            content: Data("0\r\n\r\n".utf8),
            .badServerResponse),
        Attack(
            "a redirect with a transfer coding",
            "HTTP/1.1 302 Found\r\nLocation: /b\r\nTransfer-Encoding: deflate, chunked\r\n",
            content: Data("0\r\n\r\n".utf8),
            .badServerResponse),
        Attack(
            "a length with a space before its colon", "HTTP/1.1 200 OK\r\nContent-Length : 3\r\n",
            content: Data("abcdef".utf8), .badServerResponse, limitation: .readsNamesWithSpace),
    ]

    @Test(arguments: TransportKind.allCases, ["206 Partial Content", "200 OK"])
    func `A range that ends at the largest number is a bad response, and does not end the process`(
        kind: TransportKind, status: String
    ) async throws {
        let head = "HTTP/1.1 \(status)\r\nContent-Range: bytes 0-9223372036854775807/*\r\nContent-Length: 5\r\n\r\n"
        for isSized in [false, true] {
            let rig = try LiveRig(kind) {
                $0.showsAccurateProgress = isSized
                $0.retryPolicy = .never
            }
            rig.server.serve("/") { $0.method == "HEAD" ? .raw(head) : .raw(head + "hello") }
            #expect(await rig.run(.head(rig.server.url)).error?.code == .badServerResponse)
            #expect(await rig.get("/").error?.code == .badServerResponse)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `A response of the largest length is awaited with the progress of its upload`(kind: TransportKind) async throws
    {
        let rig = try LiveRig(kind) { $0.retryPolicy = .never }
        // With a longer one, Foundation on Linux ends the process by itself.
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854774784\r\n\r\n"
        rig.server.serve("/", .raw(head + "hello", closes: true))
        var request = NetworkRequest.post(rig.server.url, body: .data(Data(count: 2000)))
        request.destination = .discard
        let operation = rig.queue.add(request)
        let updates = operation.progressUpdates
        await rig.queue.run()
        for await progress in updates { #expect(progress.fractionCompleted.map { (0...1).contains($0) } ?? true) }
        #expect(operation.error != nil && (0...1).contains(operation.progress.fractionCompleted ?? 0))
    }

    private func rig(_ kind: TransportKind, cookies: HTTPCookieStorage? = nil) throws -> LiveRig<NetworkQueue> {
        try LiveRig(kind) {
            $0.cookieStorage = cookies
            $0.retryPolicy = RetryPolicy(maxRetries: 0)
        }
    }

    @Test(arguments: TransportKind.allCases, attacks)
    func `A hostile response does what it must to its own request and holds up no other`(
        kind: TransportKind, attack: Attack
    ) async throws {
        if let limitation = attack.limitation, kind.has(limitation) { return }
        let cookies = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        let rig = try rig(kind, cookies: cookies)
        rig.server.serve("/attack", .raw(attack.bytes))
        rig.server.serve("/honest", .text("honest"))
        rig.queue.maxConcurrentRequestCount = 2
        let attacked = rig.queue.add(rig.server.url("/attack"))
        let honest = rig.queue.add(rig.server.url("/honest"))
        let clock = ContinuousClock()
        let start = clock.now
        let taken = Guarded(Duration.zero)
        honest.completionHandler = { _, _, _ in taken.withLock { $0 = clock.now - start } }
        await rig.queue.run()
        #expect(attacked.error?.code == attack.code)
        #expect(honest.data == Data("honest".utf8))
        // One second where nothing else runs; here all other suites do.
        #expect(taken.withLock { $0 } < .seconds(10))
        #expect(cookies.cookies?.isEmpty != false || attack.code == nil)
        _ = attacked.responseHead?.httpURLResponse
        // The transport is as good as before.
        #expect(await rig.get("/honest").data == Data("honest".utf8))
    }

    @Test(arguments: TransportKind.allCases)
    func `A response with a transfer coding is not decoded into a file past its limit`(kind: TransportKind) async throws
    {
        let rig = try rig(kind)
        let folder = try TemporaryFolder()
        // 16 MiB of zeros, compressed twice.
        let bomb = CompressedSamples.doublyGzippedZeros
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, gzip, chunked\r\n\r\n"
        let chunk = Data("\(String(bomb.count, radix: 16))\r\n".utf8) + bomb + Data("\r\n0\r\n\r\n".utf8)
        rig.server.serve("/", .raw(Data(head.utf8) + chunk))
        var request = NetworkRequest(rig.server.url)
        request.destination = .file(folder.url.appending(path: "file"))
        request.maxDecodedSize = 1000
        let operation = await rig.run(request)
        #expect(operation.error?.code == .badServerResponse)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test(arguments: TransportKind.allCases)
    func `A response that sets cookies has set them before its request ends`(kind: TransportKind) async throws {
        let cookies = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        let rig = try rig(kind, cookies: cookies)
        rig.server.serve("/login", .redirect(to: "/home").header("Set-Cookie", "a=1; Path=/"))
        rig.server.serve("/home", .text("home").header("Set-Cookie", "b=2; Path=/"))
        _ = await rig.get("/login")
        #expect(rig.server.requests.map { $0.headers["Cookie"] } == [nil, "a=1"])
        #expect(Set((cookies.cookies ?? []).map(\.name)) == ["a", "b"])
    }

    @Test(arguments: TransportKind.allCases)
    func `A server that pretends to be a proxy gets no credentials, and the delegate is not asked`(kind: TransportKind)
        async throws
    {
        let rig = try LiveRig(kind)
        rig.server.serve(
            "/", .text("name?", status: 407).header("Proxy-Authenticate", "Basic realm=\"proxy\""))
        let recorder = DelegateRecorder(credential: { _ in URLCredential.test("user", "word") })
        rig.queue.delegate = recorder
        var request = NetworkRequest(rig.server.url)
        request.credential = .test("own", "secret")
        let operation = await rig.run(request)
        #expect(operation.error?.code == .httpStatus(407) && operation.error?.response?.data == Data("name?".utf8))
        #expect(recorder.story(of: operation) == ["start", "head 407", "fail httpStatus(407)"])
        #expect(rig.server.requests.count == 1)
        #expect(rig.server.requests.allSatisfy { $0.headers["Proxy-Authorization"] == nil })
    }
}
