import Foundation
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct JSONEndpointTests {
    struct Shelf: Codable, Sendable, Equatable {
        struct Book: Codable, Sendable, Equatable {
            let title: String
            let pageCount: Int
            var added: Date?
        }

        let books: [Book]
    }

    private struct GetShelf: JSONEndpoint {
        typealias Value = Shelf
        let url: URL
    }

    private struct SnakeCase: JSONEndpoint {
        let url: URL
        let headers: HTTPHeaders = ["Accept": "application/vnd.shelf+json"]

        var decoder: JSONDecoder {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return decoder
        }

        func handle(_ value: Shelf.Book) {}
    }

    @Test(arguments: QueueKind.allCases)
    func `A JSON endpoint's value is decoded from the content`(kind: QueueKind) async throws {
        let rig = QueueRig(kind, answering: #"{"books":[{"title":"Ulysses","pageCount":732}]}"#)
        let shelf = try await rig.queue.send(GetShelf(url: .test("shelf")))
        #expect(shelf == Shelf(books: [Shelf.Book(title: "Ulysses", pageCount: 732)]))
        #expect(rig.transport.exchanges.first?.exchange.headers["Accept"] == "application/json")
    }

    private struct FindShelf: JSONEndpoint {
        typealias Value = Shelf?
        let url: URL
    }

    @Test func `A JSON endpoint's optional value is nil if there is no content`() async throws {
        let rig = QueueRig(.requestQueue, answering: "")
        #expect(try await rig.queue.send(FindShelf(url: .test("shelf"))) == nil)
    }

    @Test func `A JSON endpoint's own decoder and Accept field take the place of the usual ones`() async throws {
        let rig = QueueRig(.requestQueue, answering: #"{"title":"Emma","page_count":474}"#)
        #expect(try await rig.queue.send(SnakeCase(url: .test("book"))).pageCount == 474)
        #expect(rig.transport.exchanges.first?.exchange.headers["Accept"] == "application/vnd.shelf+json")
    }

    @Test(arguments: [
        (
            #"{"books":[{"title":"A","pageCount":1},{"title":"B","pageCount":"many"}]}"#,
            "at books[1].pageCount, expected"
        ),
        (#"{"books":[{"title":"A","pageCount":null}]}"#, "at books[0].pageCount, expected Int but found null."),
        (#"{"books":[{"title":"A"}]}"#, "books[0].pageCount is missing."),
        ("{}", "The JSON from host.test does not match: books is missing."),
        ("[]", "expected"),
        ("<html>", "not valid JSON"),
        ("", "not valid JSON"),
    ])
    func `The description of a decoding error tells where in the JSON the fault is`(
        content: String, place: String
    ) async {
        let rig = QueueRig(.requestQueue, answering: content)
        let error = await #expect(throws: NetworkError.self) {
            try await rig.queue.send(GetShelf(url: .test("shelf")))
        }
        #expect(error?.code == .processing && error?.underlying is DecodingError)
        #expect(error?.description.contains(place) == true, "\(error?.description ?? "-")")
        #expect(error?.response?.data == Data(content.utf8))
    }
}
