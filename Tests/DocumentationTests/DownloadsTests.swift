import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Testing

/// Runs the snippets of "Downloads".
@Suite(.timeLimit(.minutes(10)))
struct DownloadsTests {
    private let folder = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
    private let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "snippets"))
    private var file: URL { folder.appending(component: "a") }
    private let helloSHA256 = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

    @Test func `A file with the expected checksum is kept without a request`() async throws {
        let server = try LoopbackServer(fallback: .text("hello"))
        defer { try? FileManager.default.removeItem(at: folder) }
        for _ in 1...2 {
            DownloadsSnippets.update(server.url("/a"), file, helloSHA256, queue)
            #expect(await queue.run().isSuccess)
        }
        #expect(server.requestCount("/a", method: "GET") == 1)
        let second = try await DownloadsSnippets.await(server.url("/a"), file)
        #expect(second.fileURL?.lastPathComponent == "a-2")
    }

    @Test func `A part is found by its key and removed when it is given up`() async throws {
        let server = try LoopbackServer()
        let content = ScriptedResponse.generated(size: 1_000_000).acceptingRanges(etag: "\"1\"")
        server.serve("/a", sequence: [content.dropping(after: 500_000), content])
        defer { try? FileManager.default.removeItem(at: folder) }
        queue.showsAccurateProgress = false
        for signature in 1...2 {
            DownloadsSnippets.signed(server.url("/a?signature=\(signature)"), file, queue)
            await queue.run()
        }
        #expect(server.requests.last?.headers["Range"] != nil)
        #expect(try GeneratedContent(size: 1_000_000).matches(contentsOf: file))
    }

    @Test func `A link that has expired is replaced by the one that the service returns`() async throws {
        struct Service: DownloadsSnippets.LinkService {
            let server: LoopbackServer
            func link(for expired: URL) -> URL { server.url("/fresh") }
        }
        let server = try LoopbackServer(fallback: .status(403))
        server.serve("/fresh", .text("hello"))
        defer { try? FileManager.default.removeItem(at: folder) }
        DownloadsSnippets.renewed(server.url("/old"), file, Service(server: server), queue)
        #expect(await queue.run().isSuccess)
        #expect(try String(contentsOf: file, encoding: .utf8) == "hello")
    }

    @Test func `What a cancelled download has left can be removed`() async throws {
        let server = try LoopbackServer()
        let content = ScriptedResponse.generated(size: 1_000_000).acceptingRanges(etag: "\"1\"")
        let gate = Gate()
        server.serve("/a", content.gated(by: gate, at: .afterBody(500_000)))
        defer { try? FileManager.default.removeItem(at: folder) }
        let operation = queue.add(.download(server.url("/a"), to: file))
        queue.go()
        let part = folder.appending(component: "a.nqk.part").path(percentEncoded: false)
        while !FileManager.default.fileExists(atPath: part) { await Task.yield() }
        await DownloadsSnippets.giveUp(operation, file)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).isEmpty)
    }

    @Test func `Parts and mirrors bring the content`() async throws {
        let server = try LoopbackServer()
        server.serve("/large", .generated(size: 20 << 20).acceptingRanges(etag: "\"1\""))
        server.serve("/mirror", .text("hello"))
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(await DownloadsSnippets.split(server.url("/large"), file).isSuccess)
        #expect(try GeneratedContent(size: 20 << 20).matches(contentsOf: file))
        let other = folder.appending(component: "b")
        let request = DownloadsSnippets.mirrored(server.url("/gone"), server.url("/mirror"), other, helloSHA256)
        #expect(try await RequestQueue().response(for: request).head.url == server.url("/mirror"))
    }

    @Test func `A sink counts lines`() async throws {
        let server = try LoopbackServer(fallback: .text("a\nb\n"))
        #expect(try await DownloadsSnippets.count(server.url("/a"), RequestQueue()) == 2)
    }
}
