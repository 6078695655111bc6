import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
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

    @Test func `A basic endpoint is started with a URL alone`() async {
        server.serve("/a", .text("page"))
        let pages = Gathering<Data?>()
        BasicEndpoint(server.url("/a")).start { pages.add(try? $0.get()) }
        #expect(await pages.wait(count: 1) == [Data("page".utf8)])
    }

    @Test func `An operation from start() that nobody keeps is kept until its response has come`() async {
        struct Late: Endpoint {
            let url: URL

            // `start()` alone takes the transport of all queues, which gives a server a minute; see
            // `TransportConfiguration.patient`.
            func makeRequest() -> NetworkRequest {
                var request = standardRequest()
                request.idleTimeout = TransportConfiguration.patient.idleTimeout
                return request
            }
        }
        let gate = Gate()
        server.serve("/a", .text("late").gated(by: gate, at: .afterHead))
        let contents = Gathering<Data?>()
        Late(url: server.url("/a")).start { contents.add(try? $0.get()) }
        #expect(await gate.waitForArrival())
        weak let operation = RequestQueue.main.operations(of: Late.self).first
        #expect(operation?.status == .running && contents.values.isEmpty)
        gate.open()
        #expect(await contents.wait(count: 1) == [Data("late".utf8)])
        #expect(await eventually { operation == nil })
    }

    @Test func `An endpoint is saved to a file`() async throws {
        let folder = try TemporaryFolder()
        server.serve("/a", .text("report"))
        let queue = RequestQueue()
        let file = try await queue.send(BasicEndpoint(server.url("/a")).saved(to: folder.file("a.txt")))
        #expect(try folder.read(file.lastPathComponent) == "report")
    }
}
