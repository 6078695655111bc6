import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// Uploads that ask first, over real connections.
@Suite(.timeLimit(.minutes(10)))
struct ConditionalUploadTests {
    /// Keeps what is PUT, and tells its length and its MD5 as object stores do.
    private final class Store: Sendable {
        let contents = Guarded<[String: Data]>([:])

        init(_ server: LoopbackServer) {
            server.serve("/*") { [contents] request in
                contents.withLock { contents in
                    if request.method == "PUT" {
                        if request.headers["If-None-Match"] == "*", contents[request.path] != nil {
                            return .status(412)
                        }
                        contents[request.path] = request.body
                        return .status(201)
                    }
                    guard let content = contents[request.path] else { return .status(404) }
                    return .data(content).header("ETag", Self.tags[content] ?? "\"0\"")
                }
            }
        }

        /// The MD5 of what the test sends.
        private static let tags = [
            Data("one".utf8): "\"f97c5d29941bfb1b2fdab0874906ab82\"",
            Data("two".utf8): "\"b8a9f715dbb64fd5c56e7783c6820a61\"",
        ]
    }

    @Test(arguments: TransportKind.allCases)
    func `A second night sends what has changed`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        let store = Store(rig.server)
        let names = (0..<20).map { "f\($0)" }
        for name in names { try rig.folder.write("one", to: name) }
        func night(_ condition: NetworkRequest.UploadCondition) async -> NetworkQueue.Summary {
            let requests = names.map { name in
                var request = NetworkRequest.upload(rig.folder.file(name), to: rig.server.url("/" + name))
                request.uploadCondition = condition
                return request
            }
            rig.server.forgetRequests()
            rig.queue.add(contentsOf: requests)
            return await rig.queue.run()
        }
        func puts() -> [String] { rig.server.requests.filter { $0.method == "PUT" }.map(\.path).sorted() }
        #expect(await night(.ifDifferent).isSuccess && puts().count == 20)
        #expect(await night(.ifDifferent).bytesSent == 0 && puts().isEmpty)
        try rig.folder.write("two", to: "f3")
        try rig.folder.write("four", to: "f4")
        let second = await night(.ifDifferent)
        #expect(second.isSuccess && second.bytesSent == 7 && puts() == ["/f3", "/f4"])
        #expect(store.contents.withLock { $0["/f4"] } == Data("four".utf8))
        try rig.folder.write("two", to: "f5")
        #expect(await night(.ifMissing).bytesSent == 0 && puts().isEmpty)
        #expect(rig.queue.progress.upload.transferred == 61)
    }

    // On a connection that was used before, libcurl sends the content again by itself, and URLSession on Linux waits.
    @Test(arguments: [(TransportKind.default, true), (.default, false), (.urlSession, false)])
    func `After an answer that was lost, the size decides`(kind: TransportKind, reuses: Bool) async throws {
        for (stored, isWell) in [("one", true), ("other", false)] {
            let rig = try LiveRig(kind) { $0.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.zero)) }
            let missing = reuses ? ScriptedResponse.status(404) : .status(404).closing()
            rig.server.serve(
                "/a", sequence: [.raw(Data()).dropping(after: 0).head(missing), .status(412).head(.text(stored))])
            let file = try rig.folder.write(Data("one".utf8), to: "a")
            var request = NetworkRequest.upload(file, to: rig.server.url("/a"))
            request.uploadCondition = .ifMissing
            let operation = await rig.run(request)
            #expect(operation.error?.code == (isWell ? nil : .httpStatus(412)))
            #expect(rig.server.requests.map(\.method) == ["HEAD", "PUT", "PUT", "HEAD"])
            if isWell { #expect(try operation.result?.get().wasKept == false) }
        }
    }
}
