// Endpoints: a typed client
import Foundation
import NetworkQueueKit

struct Note: Codable, Sendable, Equatable {
    let id: Int
    let text: String
}

/// What can go wrong, in the service's own words.
struct NotesError: Error, Equatable {
    let message: String

    init(_ error: NetworkError) {
        let page = try? JSONDecoder().decode([String: String].self, from: error.response?.data ?? Data())
        message = page?["message"] ?? error.description
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
