import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Testing

/// Runs the snippets of "Uploads".
@Suite(.timeLimit(.minutes(10)))
struct UploadsTests {
    private let file = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString + ".jpg")

    @Test func `Bodies are sent with their types`() async throws {
        let server = try LoopbackServer(fallback: .status(204))
        try Data("photo".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let queue = RequestQueue()
        queue.maxConcurrentRequestCount = 1
        try UploadsSnippets.bodies(server.url("/a"), file, .init(text: "milk"), queue)
        await queue.waitUntilEmpty()
        #expect(
            server.requests.map { $0.headers["Content-Type"] }
                == ["image/jpeg", "application/json", "application/x-www-form-urlencoded", "text/plain"])
        #expect(
            server.requests.map { String(decoding: $0.body, as: UTF8.self) }.dropLast(2) == [
                "photo", #"{"text":"milk"}"#,
            ])
        _ = try await UploadsSnippets.form(server.url("/form"), file, queue)
        let form = String(decoding: server.requests.last?.body ?? Data(), as: UTF8.self)
        #expect(form.contains("Holiday") && form.contains("photo"))
        _ = try await UploadsSnippets.stream(server.url("/stream"), queue)
        #expect(server.requests.last?.bodyLength == 1_000_000)
    }

    @Test func `A batch reports what the server says about a file`() async throws {
        let server = try LoopbackServer(fallback: .text("full", status: 507))
        try Data("photo".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let summary = await UploadsSnippets.folder([file], to: server.url("/inbox"))
        #expect(summary.failures.map(\.error.code) == [.httpStatus(507)])
        #expect(summary.failures.first?.error.response?.data == Data("full".utf8))
    }

    @Test func `A conditional batch sends what the server does not have, and tus goes on in pieces`() async throws {
        let server = try LoopbackServer(fallback: .status(404))
        server.serve("/inbox/*") { .status($0.method == "HEAD" ? 404 : 201) }
        server.serve("/files", .status(201, headers: ["Location": "/files/1"]))
        server.serve("/files/1", .status(204, headers: ["Upload-Offset": "5"]))
        try Data("photo".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(await UploadsSnippets.conditions([file], to: server.url("/inbox")).bytesSent == 5)
        let queue = RequestQueue()
        queue.stateFolder = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: queue.stateFolder) }
        #expect(try await UploadsSnippets.tus(file, to: server.url("/files"), queue).head.url == server.url("/files/1"))
    }

    @Test func `A POST with a key is repeated`() async throws {
        let server = try LoopbackServer()
        server.serve("/a", sequence: [.status(503), .text("done")])
        let request = UploadsSnippets.post(.post(server.url("/a"), body: .data(Data("a".utf8))), "1")
        #expect(try await RequestQueue().data(for: request) == Data("done".utf8))
        #expect(server.requests.compactMap { $0.headers["Idempotency-Key"] } == ["1", "1"])
    }
}
