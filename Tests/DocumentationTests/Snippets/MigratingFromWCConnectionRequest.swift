import Foundation
import NetworkQueueKit

struct MigratingFromWCConnectionRequestSnippets: Sendable {
    func show(_ text: String) { print(text) }
    func report(_ error: NetworkError) { print(error) }

    // snippet: endpoint
    struct Note: Decodable, Sendable {
        let text: String
    }

    struct NoteEndpoint: JSONEndpoint {
        typealias Value = Note
        let server: URL
        let noteID: String
        var url: URL { server.appending(components: "notes", noteID) }
        var headers: HTTPHeaders { ["X-Client": "app"] }
    }

    func loadNote(_ noteID: String, from server: URL, with queue: RequestQueue) {
        queue.add(NoteEndpoint(server: server, noteID: noteID)) { result in
            switch result {
            case .success(let note): show(note.text)
            case .failure(let error): report(error)
            }
        }
    }
    // end
}
