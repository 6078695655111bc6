import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Synchronization
import Testing

/// Runs the snippets of the pages about migration from other libraries.
struct MigrationTests {
    @Test(.timeLimit(.minutes(10))) func `What was written for ASINetworkQueue downloads its images`() async throws {
        let server = try LoopbackServer(fallback: .text("hello"))
        let fetcher = await MainActor.run { MigratingFromASINetworkQueueSnippets.ImageFetcher() }
        await fetcher.fetch([server.url("/a"), server.url("/b")])
        while await fetcher.fractionCompleted < 1 { await Task.yield() }
        #expect(server.requestCount("/a", method: "GET") == 1)
    }

    @Test func `What was written for RequestQueue shows its thumbnails`() async throws {
        let server = try LoopbackServer(fallback: .text("hello"))
        let shown = Mutex<[URL: Int]>([:])
        let urls = [server.url("/a"), server.url("/b")]
        let queue = MigratingFromRequestQueueSnippets.loadThumbnails(urls) { url, data in
            shown.withLock { $0[url] = data.count }
        }
        await queue.waitUntilEmpty()
        #expect(shown.withLock { $0 } == [urls[0]: 5, urls[1]: 5])
    }

    @Test func `What was written for URLRequestOperation signs its request and shows its file`() async throws {
        let server = try LoopbackServer(fallback: .text("hello"))
        let folder = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(component: "a")
        let shown: (file: URL?, error: NetworkError?) = await withCheckedContinuation { continuation in
            MigratingFromURLRequestOperationSnippets.run(
                server.url("/a"), to: file,
                sign: { request in
                    var request = request
                    request.setValue("signed", forHTTPHeaderField: "X-Signature")
                    return request
                },
                show: { continuation.resume(returning: ($0, $1)) })
        }
        #expect(shown.error == nil)
        #expect(shown.file == file)
        #expect(server.requests.first?.headers["X-Signature"] == "signed")
    }

    @Test func `What was written for WCConnectionRequest asks for its note`() async throws {
        let server = try LoopbackServer(fallback: .json(#"{"text":"Milk"}"#))
        let queue = RequestQueue()
        MigratingFromWCConnectionRequestSnippets().loadNote("1", from: server.url, with: queue)
        await queue.waitUntilEmpty()
        #expect(server.requests.first?.headers["X-Client"] == "app")
        #expect(server.requests.first?.target == "/notes/1")
    }

    @Test func `What was written for Alamofire renews its token and decodes notes`() async throws {
        let server = try LoopbackServer()
        server.serve("/notes") { request in
            guard request.headers["Authorization"] == "Bearer new" else { return .status(401) }
            return .json(request.method == "POST" ? #"{"id":3,"title":"Milk"}"# : #"[{"id":1,"title":"Bread"}]"#)
        }
        let result = try await ComingFromAlamofireSnippets.notes(at: server.url("/notes"), token: "old") { _ in "new" }
        #expect(result.notes.map(\.title) == ["Bread"])
        #expect(result.added.id == 3)
    }

    @Test func `What was written for URLSession reads data, a file and lines`() async throws {
        let server = try LoopbackServer(fallback: .text("hello"))
        let folder = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let result = try await ComingFromURLSessionSnippets.read(server.url("/a"), into: folder)
        #expect(result.data == Data("hello".utf8))
        #expect(result.file?.lastPathComponent == "a")
    }
}
