import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Testing

/// Runs the snippets of "Getting started".
@Suite(.timeLimit(.minutes(10)))
struct GettingStartedTests {
    @Test func `The batch downloads each file once and keeps it in the second run`() async throws {
        let server = try LoopbackServer()
        server.serve("/a%2Fb.txt", .text("hello").header("Last-Modified", "Wed, 21 Oct 2015 07:28:00 GMT"))
        let folder = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        for run in 1...2 {
            let summary = await GettingStartedSnippets.batch([server.url("/a%2Fb.txt").absoluteString], into: folder)
            #expect(summary.isSuccess && summary.counts.finished == 1, "run \(run): \(summary)")
        }
        #expect(server.requestCount("/a%2Fb.txt", method: "GET") == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).count == 1)
    }

    @Test func `A query is encoded`() {
        let url = URL(filePath: "/folder")
        let requests = GettingStartedSnippets.requests(URL(webAddress: "https://example.com/a") ?? url, url)
        #expect(requests.map(\.url.absoluteString).first == "https://example.com/a?q=a%26b")
        #expect(requests.map(\.method) == ["GET", "POST", "GET"])
    }

    @Test func `A value is decoded`() async throws {
        let server = try LoopbackServer()
        server.serve("/notes", .json(#"[{"text":"milk"}]"#))
        #expect(try await GettingStartedSnippets.value(of: server.url("/notes")).map(\.text) == ["milk"])
    }
}
