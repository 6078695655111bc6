import Foundation
import LoopbackServer
import NetworkQueueKit
import TestSupport
import Testing

@Suite("Endpoints, over the wire", .timeLimit(.minutes(10)))
struct EndpointStartTests {
    private struct Greeting: JSONEndpoint {
        typealias Value = [String: String]
        let url: URL
    }

    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
    }

    @Test func `start() alone runs an endpoint and gives its handler the value`() async {
        server.serve("/a", .text(#"{"hello":"world"}"#))
        let values = Gathering<[String: String]?>()
        let operation = Greeting(url: server.url("/a")).start { values.add(try? $0.get()) }
        #expect(await values.wait(count: 1) == [["hello": "world"]])
        #expect(operation.endpoint is Greeting && operation.status == .finished)
    }

    @Test func `an endpoint is saved to a file`() async throws {
        let folder = try TemporaryFolder()
        server.serve("/a", .text("report"))
        let queue = RequestQueue()
        let file = try await queue.send(BasicEndpoint(server.url("/a")).saved(to: folder.file("a.txt")))
        #expect(try folder.read(file.lastPathComponent) == "report")
    }
}
