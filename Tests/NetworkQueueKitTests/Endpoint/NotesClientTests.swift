import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct NotesClientTests {
    private let server = URL.test("api")

    private func rig(_ kind: QueueKind) -> EndpointRig {
        EndpointRig(
            kind,
            ScriptedTransport { exchange in
                switch "\(exchange.method) \(exchange.url.path())" {
                case "GET /api/notes": .ok(Data(#"[{"id":1,"text":"milk"}]"#.utf8))
                case "GET /api/notes/1": .ok(Data(#"{"id":1,"text":"milk"}"#.utf8))
                case "POST /api/notes": .respond(status: 201, headers: [:], body: Data(#"{"id":2,"text":"tea"}"#.utf8))
                case "DELETE /api/notes/1": .status(204)
                case "GET /api/export.pdf": .ok(Data("%PDF".utf8))
                default: .respond(status: 404, headers: [:], body: Data(#"{"message":"There is no such note."}"#.utf8))
                }
            })
    }

    @Test(arguments: QueueKind.allCases)
    func `Each endpoint of the notes client gives its own type, and all share one error`(kind: QueueKind) async throws {
        let rig = rig(kind)
        #expect(try await rig.queue.send(AllNotes(server: server)) == [Note(id: 1, text: "milk")])
        #expect(try await rig.queue.send(OneNote(server: server, id: 1)).text == "milk")
        #expect(try await rig.queue.send(AddNote(server: server, text: "tea")).id == 2)
        try await rig.queue.send(DeleteNote(server: server, id: 1))
        #expect(try await rig.queue.send(ExportNotes(server: server)) == Data("%PDF".utf8))
        do throws(NotesError) {
            _ = try await rig.queue.send(OneNote(server: server, id: 9))
            Issue.record("no error")
        } catch {
            #expect(error.message == "There is no such note.")
        }
        let headers = rig.transport.exchanges.map(\.exchange.headers)
        #expect(headers.allSatisfy { $0["Authorization"] == "Bearer token" })
    }

    @Test func `The notes client takes fewer than 80 lines, and is the code of the article`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let source = try String(contentsOf: folder.appending(path: "NotesClient.swift"), encoding: .utf8)
        #expect(source.split(separator: "\n", omittingEmptySubsequences: false).count <= 80)
        let root = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let article = try String(
            contentsOf: root.appending(path: "Sources/NetworkQueueKit/NetworkQueueKit.docc/Endpoints.md"),
            encoding: .utf8)
        let code = source.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(separator: "\n")
        #expect(article.contains("```swift\n\(code)```"))
        #expect(article.components(separatedBy: "```swift\n").count == 2)
    }
}
