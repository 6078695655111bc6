import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Testing

/// Runs the snippets of the pages about transports, platforms and extension points.
struct ReferenceTests {
    @Test func `The model for SwiftUI follows a batch to its end`() async throws {
        let server = try LoopbackServer()
        server.serve("/a", .text("hello"))
        let folder = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let model = await ApplePlatformsSnippets.DownloadModel()
        await model.download([server.url("/a"), server.url("/missing")], into: folder)
        #expect(await model.fractionCompleted == 1)
        #expect(await model.failures.count == 1)
        #expect(await !model.isRunning)
    }

    @Test func `An adapter knows the number of the attempt`() async throws {
        let server = try LoopbackServer(fallback: .text("hello"))
        let queue = RequestQueue()
        OwnPartsSnippets.numberAttempts(in: queue)
        _ = try await queue.data(for: server.url("/a"))
        #expect(server.requests.first?.headers["X-Attempt"] == "1")
    }

    @Test(.enabled(if: DefaultTransport.shared is URLSessionTransport == false))
    func `A transport is made with a proxy, and not with files that are missing`() throws {
        _ = try TransportsSnippets.makeQueue()
        let error = #expect(throws: NetworkError.self) { try TransportSecuritySnippets.makeQueue() }
        #expect(error?.code == .fileSystem)
    }
}
