import Foundation
import NetworkQueueKit

// snippet: client
struct Note: Codable, Sendable, Equatable {
    let id: Int
    let text: String
}

/// What can go wrong, in the service's own words.
struct NotesError: Error, Equatable {
    let message: String

    init(_ error: NetworkError) {
        let page = try? JSONDecoder().decode([String: String].self, from: error.response?.data ?? Data())
        message = page?["message"] ?? error.localizedDescription
    }
}

/// What all calls of the service have in common.
protocol NotesEndpoint: Endpoint where Failure == NotesError {
    var server: URL { get }
    var path: String { get }
}

extension NotesEndpoint {
    var url: URL { server.appending(path: path) }
    var headers: HTTPHeaders { ["Authorization": "Bearer token"] }
    func parseError(_ error: NetworkError) -> NotesError { NotesError(error) }
}

struct AllNotes: NotesEndpoint, JSONEndpoint {
    typealias Value = [Note]
    let server: URL
    let path = "notes"
}

struct OneNote: NotesEndpoint, JSONEndpoint {
    typealias Value = Note
    let server: URL
    let id: Int
    var path: String { "notes/\(id)" }
}

struct AddNote: NotesEndpoint, JSONEndpoint {
    typealias Value = Note
    let server: URL
    let text: String
    let path = "notes"
    var body: RequestBody? { get throws { try .json(["text": text]) } }
}

struct DeleteNote: NotesEndpoint {
    let server: URL
    let id: Int
    let method = "DELETE"
    var path: String { "notes/\(id)" }
    func parse(_ response: Response) {}
}

struct ExportNotes: NotesEndpoint {
    let server: URL
    let path = "export.pdf"
}
// end

enum EndpointsSnippets {
    static func send(_ server: URL, _ file: URL, _ queue: RequestQueue) async throws -> ([Note], URL) {
        // snippet: send
        let notes = try await queue.send(AllNotes(server: server))
        let saved = try await queue.send(ExportNotes(server: server).saved(to: file))
        queue.add(DeleteNote(server: server, id: 1)) { result in print(result) }
        // end
        return (notes, saved)
    }

    static func failure(_ server: URL, _ queue: RequestQueue) async -> String {
        // snippet: failure
        do throws(NotesError) {
            return try await queue.send(OneNote(server: server, id: 9)).text
        } catch {
            return error.message
        }
        // end
    }

    static func ask(_ queue: RequestQueue) {
        // snippet: ask
        let isSaving = queue.isActive(AddNote.self)
        queue.cancelAll(of: AllNotes.self)
        for operation in queue.requests where operation.endpoint is any NotesEndpoint { operation.cancel() }
        // end
        _ = isSaving
    }
}
