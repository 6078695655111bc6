import Foundation
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct FileEndpointTests {
    @Test(arguments: QueueKind.allCases)
    func `Any endpoint's content can be saved to a file`(kind: QueueKind) async throws {
        let folder = try TemporaryFolder()
        let rig = QueueRig(kind, answering: "report")
        let file = try await rig.queue.send(BasicEndpoint(.test("a")).saved(to: folder.file("a.txt")))
        #expect(file.lastPathComponent == "a.txt" && folder.contents == ["a.txt"])
        #expect(try folder.read("a.txt") == "report")
    }

    @Test func `A saved endpoint sends what the endpoint itself sends`() async throws {
        let folder = try TemporaryFolder()
        let rig = QueueRig(.requestQueue, answering: "report")
        let saved = RecordedEndpoint(url: .test("a")).saved(to: folder.file("a"), onConflict: .rename)
        _ = try await rig.queue.send(saved)
        let exchange = try #require(rig.transport.exchanges.first?.exchange)
        #expect(exchange.method == saved.method && exchange.headers["X-Kind"] == saved.headers["X-Kind"])
        #expect(try saved.body == saved.base.body && saved.url == saved.base.url)
        let second = try await rig.queue.send(saved)
        #expect(second.lastPathComponent == "a-2")
    }

    @Test func `A saved endpoint that fails throws and handles its own error, and leaves no file`() async throws {
        let folder = try TemporaryFolder()
        let rig = QueueRig(.requestQueue, answering: "none", status: 404)
        let endpoint = RecordedEndpoint(url: .test("a"))
        let error = await #expect(throws: RecordedEndpoint.Refusal.self) {
            try await rig.queue.send(endpoint.saved(to: folder.file("a")))
        }
        #expect(error?.code == .httpStatus(404) && error?.page == "none")
        #expect(endpoint.calls.values.last == "handle error httpStatus(404)")
        #expect(folder.contents.isEmpty)
    }
}
