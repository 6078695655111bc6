import Foundation
import NetworkQueueKit

private struct Note: Codable, Equatable {
    var id: Int?
    let title: String
}

enum TypedJSON: Example {
    static let subject = "JSON there and back"

    static func run(_ site: Site) async throws {
        let queue = RequestQueue()
        let notes: [Note] = try await queue.value(for: site.url("/notes"))
        try check(notes.map(\.title) == ["Milk", "Bread"], "the list is decoded")

        let note: Note = try await queue.value(for: .post(site.url("/notes"), body: .json(Note(title: "Cheese"))))
        try check(note == Note(id: 3, title: "Cheese"), "the answer to a POST, too")

        // The queue throws `NetworkError`, so no cast is needed.
        var codes: [NetworkError.Code] = []
        do {
            _ = try await queue.value(of: Note.self, for: site.url("/notes"))
        } catch {
            print("  \(error.localizedDescription)")
            codes.append(error.code)
        }
        do {
            _ = try await queue.data(for: .post(site.url("/notes"), body: .data(Data("no JSON".utf8))))
        } catch {
            try check(error.response != nil, "a refusal has its response")
            codes.append(error.code)
        }
        try check(codes == [.processing, .httpStatus(400)], "a list is not one note, and a refusal fails")
    }
}
