import Foundation
import LoopbackHTTP
import NetworkQueueKit
import NetworkQueueTesting
import Testing

/// Runs the snippets of "Troubleshooting".
struct TroubleshootingTests {
    private let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "snippets"))

    @Test func `A loop over the events of a run ends with the run`() async throws {
        let server = try LoopbackServer(fallback: .text("hello"))
        queue.add(server.url("/a"))
        await TroubleshootingSnippets.listen(to: queue)
        #expect(queue.progress.counts.finished == 1)
    }

    @Test func `A second run keeps a current file and replaces another`() async throws {
        let server = try LoopbackServer(
            fallback: .text("hello").header("Last-Modified", "Fri, 02 Oct 2026 10:00:00 GMT"))
        let folder = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(component: "a")
        for wasKept in [false, true] {
            let operation = queue.add(TroubleshootingSnippets.keepingCurrent(server.url("/a"), file))
            await queue.run()
            #expect(try operation.result?.get().wasKept == wasKept)
        }
        try Data("changed here".utf8).write(to: file)
        queue.add(TroubleshootingSnippets.keepingCurrent(server.url("/a"), file))
        await queue.run()
        #expect(try String(contentsOf: file, encoding: .utf8) == "hello")
    }

    @MainActor
    @Test func `A model on the main actor reads what an endpoint gives`() async throws {
        let server = try LoopbackServer(fallback: .json(#"{"text":"hello"}"#))
        let model = TroubleshootingSnippets.GreetingModel()
        let endpoint = TroubleshootingSnippets.GreetingEndpoint(url: server.url("/"))
        try await model.loadAgain(endpoint, RequestQueue())
        #expect(model.text == "hello")
    }

    @Test func `Pages are read in a closure with a typed error`() async throws {
        let server = try LoopbackServer(fallback: .text("hello"))
        var sizes: [Int] = []
        await TroubleshootingSnippets.readPages([server.url("/a"), server.url("/b")], with: queue) {
            sizes.append($0.count)
        }
        #expect(sizes == [5, 5])
    }

    @Test func `A handler for redirects gives the token to the server that is to have it`() async throws {
        let transport = ScriptedTransport { exchange in
            exchange.url.host() == "files.example.com"
                ? .ok() : .status(302, ["Location": "https://files.example.com/a"])
        }
        let queue = RequestQueue(transport: transport)
        let url = try #require(URL(webAddress: "https://api.example.com/a"))
        let operation = RequestOperation(NetworkRequest(url, headers: ["Authorization": "Bearer old"]))
        TroubleshootingSnippets.authorizeRedirects(of: operation, token: "new")
        queue.add(operation)
        _ = try await operation.response()
        let sent = transport.exchanges.map { $0.exchange.headers["Authorization"] }
        #expect(sent == ["Bearer old", "Bearer new"])
    }
}
