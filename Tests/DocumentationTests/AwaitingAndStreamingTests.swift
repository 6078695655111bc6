import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Testing

/// Runs the snippets of "Awaiting and streaming".
@Suite(.timeLimit(.minutes(10)))
struct AwaitingAndStreamingTests {
    private let queue = RequestQueue()

    @Test func `Values, data, and errors by their code`() async throws {
        let server = try LoopbackServer()
        server.serve("/notes", sequence: [.json(#"[{"text":"a"}]"#), .json(#"{"text":"milk"}"#), .status(204)])
        let notes = try await AwaitingAndStreamingSnippets.values(server.url("/notes"), queue)
        #expect(notes.map(\.text) == ["a", "milk"])
        server.serve("/a", .text("hello"))
        let files = try await AwaitingAndStreamingSnippets.all([server.url("/a")], with: queue)
        #expect(files == [server.url("/a"): Data("hello".utf8)])
        #expect(await AwaitingAndStreamingSnippets.text(of: server.url("/a"), queue) == "5 bytes")
        #expect(await AwaitingAndStreamingSnippets.text(of: server.url("/b"), queue) == "not there")
        let batch = NetworkQueue(delegateQueue: DispatchQueue(label: "snippets"))
        let response = try await AwaitingAndStreamingSnippets.operation(.get(server.url("/a")), batch)
        #expect(response.data?.count == 5)
    }

    @Test func `Lines and chunks are read as they come`() async throws {
        let server = try LoopbackServer()
        server.serve("/lines", .text(#"{"text":"a"}"# + "\n" + #"{"text":"b"}"#))
        var texts: [String] = []
        try await AwaitingAndStreamingSnippets.lines(server.url("/lines"), queue) { texts.append($0.text) }
        #expect(texts == ["a", "b"])
        let file = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await AwaitingAndStreamingSnippets.chunks(server.url("/lines"), queue, into: FileHandle(forWritingTo: file))
        #expect(try Data(contentsOf: file).count == 25)
    }
}
