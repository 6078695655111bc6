import Foundation
import LoopbackHTTP
import NetworkQueueKit
import NetworkQueueTesting
import Testing

/// Runs the examples of doc comments that have a result.
@Suite(.timeLimit(.minutes(10)))
struct DocCommentTests {
    private let folder = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
    private let queue: RequestQueue

    init() throws {
        var configuration = TransportConfiguration()
        // Among all other tests, the next step may come minutes later.
        configuration.idleTimeout = .seconds(600)
        queue = RequestQueue(transport: try DefaultTransport.make(configuration))
    }

    @Test func `A batch takes requests from a stream and from the lines of a response`() async throws {
        let server = try LoopbackServer(fallback: .text("a"))
        server.serve("/list", .text("\(server.url("/1"))\n\(server.url("/2"))\n"))
        let urls = AsyncStream { continuation in
            continuation.yield(server.url("/1"))
            continuation.finish()
        }
        let batch = NetworkQueue(delegateQueue: DispatchQueue(label: "snippets"))
        #expect(await DocCommentSnippets.run(urls, batch).counts.finished == 1)
        let lines = try await queue.lines(for: server.url("/list"))
        #expect(try await DocCommentSnippets.run(lines, batch).counts.finished == 2)
    }

    @Test func `A group is added to a queue and awaited`() async throws {
        let server = try LoopbackServer(fallback: .text("a"))
        let batch = NetworkQueue(delegateQueue: DispatchQueue(label: "snippets"))
        let tracks = ["/1", "/2"].map { NetworkRequest(server.url($0)) }
        #expect(await DocCommentSnippets.group(tracks, batch).counts.finished == 2)
    }

    @Test func `Content is read in pieces and in lines`() async throws {
        let server = try LoopbackServer(fallback: .text("a\nb\n"))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(component: "copy")
        #expect(FileManager.default.createFile(atPath: file.path(percentEncoded: false), contents: nil))
        try await DocCommentSnippets.bytes(NetworkRequest(server.url("/")), queue, FileHandle(forWritingTo: file))
        #expect(try String(contentsOf: file, encoding: .utf8) == "a\nb\n")
        var lines: [String] = []
        try await DocCommentSnippets.lines(NetworkRequest(server.url("/")), queue) { lines.append($0) }
        #expect(lines == ["a", "b"])
    }

    @Test func `Records of unfinished requests survive a relaunch`() async throws {
        let server = try LoopbackServer()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        queue.isSuspended = true
        queue.add(server.url("/a"))
        try DocCommentSnippets.records(queue, folder.appending(component: "records.json"))
        #expect(queue.requests.map(\.request.url.lastPathComponent) == ["a"])
    }

    @Test func `An endpoint gives its value, and saves it to a file`() async throws {
        let server = try LoopbackServer(fallback: .text("hello"))
        #expect(try await EndpointDocCommentSnippets.greeting(server.url("/"), queue) == Data("hello".utf8))
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = try await EndpointDocCommentSnippets.file(
            BasicEndpoint(server.url("/")), folder.appending(component: "report"), queue)
        #expect(try String(contentsOf: file, encoding: .utf8) == "hello")
    }

    @Test func `A manual clock makes a retry without a wait`() async throws {
        let transport = ScriptedTransport { _ in .status(503) }
        let request = NetworkRequest(try #require(URL(webAddress: "http://example.com/")))
        let operation = await TestingDocCommentSnippets.clock(request, transport)
        await #expect(throws: NetworkError.self) { try await operation.response() }
        #expect(operation.attempts == 2)
    }

    @Test func `A scripted transport answers by its script or by hand`() async throws {
        let list = try #require(URL(webAddress: "http://example.com/list"))
        #expect(try await TestingDocCommentSnippets.transport(list) == [1, 2])
        let transport = ScriptedTransport()
        async let data = RequestQueue(transport: transport).data(for: list)
        await TestingDocCommentSnippets.exchange(transport)
        #expect(try await data == Data("ok".utf8))
    }

    @Test func `A loopback server answers as its script says, and waits at a gate`() async throws {
        let (text, targets) = try await LoopbackDocCommentSnippets.server(queue)
        #expect(text == Data("Hello".utf8) && targets == ["/hello"])
        #expect(try await LoopbackDocCommentSnippets.gate(LoopbackServer(), queue) == Data("late".utf8))
    }
}
