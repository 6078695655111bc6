import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Testing

/// The snippets of the catalog of LoopbackHTTP, with the expectations that it shows.
@Suite(.timeLimit(.minutes(10)))
struct LoopbackHTTPSnippets {
    private let queue: RequestQueue

    init() throws {
        // Among all other tests, one may come to its next step minutes later.
        var configuration = TransportConfiguration()
        configuration.idleTimeout = .seconds(600)
        queue = RequestQueue(transport: try DefaultTransport.make(configuration))
    }

    @Test func `Paths have a response, a sequence or a closure`() async throws {
        // snippet: first page
        let server = try LoopbackServer()
        server.serve("/notes", .json(#"["milk", "tea"]"#))
        server.serve("/flaky", sequence: [.status(503), .text("ready")])
        server.serve("/greeting") { request in .text("Hello, \(request.headers["User-Agent"] ?? "stranger")") }
        // end
        #expect(try await queue.value(of: [String].self, for: server.url("/notes")) == ["milk", "tea"])
        var greeting = NetworkRequest(server.url("/greeting"))
        greeting.headers["User-Agent"] = "test"
        #expect(try await queue.data(for: greeting) == Data("Hello, test".utf8))
    }

    @Test func `A broken response is an error`() async throws {
        let server = try LoopbackServer()
        // snippet: faults
        server.serve("/short", .text("hello").declaring(length: 100))
        server.serve("/slow", .generated(size: 10_000).paced(bytesPerSecond: 100_000))
        server.serve("/broken", .raw("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"))
        let broken = queue.add(server.url("/broken"))
        await #expect(throws: NetworkError.self) { try await broken.response() }
        #expect(broken.error?.code == .badServerResponse)
        // end
        #expect(try await queue.data(for: server.url("/slow")).count == 10_000)
        await #expect(throws: NetworkError.self) { try await queue.data(for: server.url("/short")) }
    }

    @Test func `A gate stops a response in its middle`() async throws {
        let server = try LoopbackServer()
        // snippet: gate
        let gate = Gate()
        server.serve("/file", .generated(size: 10_000).gated(by: gate, at: .afterBody(5_000)))
        let operation = queue.add(server.url("/file"))
        await gate.waitForArrival()
        operation.cancel()
        await #expect(throws: NetworkError.self) { try await operation.response() }
        // end
        #expect(operation.status == .cancelled)
    }

    @Test func `A server speaks TLS`() async throws {
        // snippet: tls
        let identity = try LoopbackServer.TLSIdentity()
        let server = try LoopbackServer(tls: identity, fallback: .text("hello"))
        var configuration = TransportConfiguration()
        configuration.trustedCertificatesFile = identity.certificateFile
        configuration.pinnedPublicKeys = [identity.publicKeyPin]
        let queue = RequestQueue(transport: try DefaultTransport.make(configuration))
        let data = try await queue.data(for: server.url)
        // end
        #expect(data == Data("hello".utf8))
    }

    @Test func `Generated content is compared with a file`() async throws {
        let server = try LoopbackServer()
        let file = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        // snippet: generated
        server.serve("/large", .generated(size: 5_000_000, seed: 1))
        _ = try await queue.download(server.url("/large"), to: file)
        #expect(try GeneratedContent(size: 5_000_000, seed: 1).matches(contentsOf: file))
        // end
    }

    @Test func `The server tells what it received`() async throws {
        let server = try LoopbackServer(fallback: .status(204))
        // snippet: records
        _ = try await queue.response(for: .post(server.url("/notes"), body: .data(Data("milk".utf8))))
        let request = try #require(server.requests.last)
        #expect(request.method == "POST")
        #expect(request.body == Data("milk".utf8))
        await server.wait { $0.concurrentRequests == 0 }
        #expect(server.connectionCount == 1)
        // end
    }
}
