import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import Testing

/// Runs the snippets of "Endpoints".
@Suite(.timeLimit(.minutes(10)))
struct EndpointsTests {
    private let server = URL(webAddress: "https://example.com/api")
    private let transport = ScriptedTransport { exchange in
        switch "\(exchange.method) \(exchange.url.path())" {
        case "GET /api/notes": .ok(Data(#"[{"id":1,"text":"milk"}]"#.utf8))
        case "GET /api/notes/1": .ok(Data(#"{"id":1,"text":"milk"}"#.utf8))
        case "POST /api/notes": .respond(status: 201, headers: [:], body: Data(#"{"id":2,"text":"tea"}"#.utf8))
        case "DELETE /api/notes/1": .status(204)
        case "GET /api/export.pdf": .ok(Data("%PDF".utf8))
        default: .respond(status: 404, headers: [:], body: Data(#"{"message":"There is no such note."}"#.utf8))
        }
    }

    /// Each endpoint in a queue of either kind.
    private func check(_ queue: some RequestQueueing) async throws {
        let server = try #require(server)
        #expect(try await queue.send(AllNotes(server: server)) == [Note(id: 1, text: "milk")])
        #expect(try await queue.send(OneNote(server: server, id: 1)).text == "milk")
        #expect(try await queue.send(AddNote(server: server, text: "tea")).id == 2)
        try await queue.send(DeleteNote(server: server, id: 1))
        #expect(try await queue.send(ExportNotes(server: server)) == Data("%PDF".utf8))
        #expect(transport.exchanges.map(\.exchange.headers).allSatisfy { $0["Authorization"] == "Bearer token" })
    }

    @Test func `Each endpoint gives its own type, in both kinds of queue`() async throws {
        try await check(RequestQueue(transport: transport))
        let batch = NetworkQueue(transport: transport, delegateQueue: DispatchQueue(label: "snippets"))
        batch.go()
        try await check(batch)
    }

    @Test func `Values, a file, the service's own error, and questions to the queue`() async throws {
        let server = try #require(server)
        let file = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let queue = RequestQueue(transport: transport)
        let (notes, saved) = try await EndpointsSnippets.send(server, file, queue)
        #expect(notes.count == 1 && saved == file)
        #expect(try Data(contentsOf: file) == Data("%PDF".utf8))
        #expect(await EndpointsSnippets.failure(server, queue) == "There is no such note.")
        queue.isSuspended = true
        let operation = queue.add(AddNote(server: server, text: "tea"))
        EndpointsSnippets.ask(queue)
        #expect(operation.status == .cancelled)
    }
}
