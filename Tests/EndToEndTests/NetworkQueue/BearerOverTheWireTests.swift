import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct BearerOverTheWireTests {
    /// A batch in front of a server that takes the token `new`.
    private func rig(
        _ kind: TransportKind, isSized: Bool = false
    ) throws -> (rig: LiveRig<NetworkQueue>, calls: Gathering<String>) {
        let calls = Gathering<String>()
        let rig = try LiveRig(kind) {
            $0.showsAccurateProgress = isSized
            // However busy the machine is.
            $0.sizingTimeout = .seconds(300)
            $0.maxConcurrentRequestCount = 10
            $0.authenticator = BearerAuthenticator(token: "old") { expired in
                calls.add(expired)
                return "new"
            }
        }
        rig.server.serve("/*") { request in
            guard request.headers["Authorization"] == "Bearer new" else {
                var refusal = ScriptedResponse.text("who?", status: 401)
                refusal.headers["WWW-Authenticate"] = "Bearer error=\"invalid_token\""
                return refusal
            }
            return request.method == "POST" || request.method == "PUT" ? .echo : .text("secret")
        }
        return (rig, calls)
    }

    @Test(arguments: TransportKind.allCases, [false, true])
    func `An expired bearer token is renewed once for forty downloads`(kind: TransportKind, isSized: Bool) async throws
    {
        let (rig, calls) = try rig(kind, isSized: isSized)
        let operations = (0..<40).map { rig.queue.add(rig.server.url("/\($0)")) }
        let summary = await rig.queue.run()
        #expect(summary.counts == .init(finished: 40), "\(summary.firstFailure?.error.description ?? "")")
        #expect(operations.allSatisfy { $0.data == Data("secret".utf8) && $0.attempts == 1 })
        #expect(calls.values == ["old"])
        let refused = rig.server.requests.filter { $0.headers["Authorization"] != "Bearer new" }
        #expect(refused.count <= 16 && refused.allSatisfy { $0.method == (isSized ? "HEAD" : "GET") })
    }

    @Test(arguments: TransportKind.allCases)
    func `An expired bearer token is renewed once for uploads, whose content is sent again`(kind: TransportKind)
        async throws
    {
        let (rig, calls) = try rig(kind)
        let folder = try TemporaryFolder()
        let content = Data(GeneratedContent(size: 300_000, seed: 15).bytes(in: 0..<300_000))
        let file = try folder.write(content, to: "content")
        let operations = (0..<12).map { number in
            rig.queue.add(
                NetworkRequest(
                    rig.server.url("/\(number)"), method: number % 2 == 0 ? "POST" : "PUT",
                    headers: ["Content-Type": "text/plain"], body: number % 3 == 0 ? .file(file) : .data(content)))
        }
        let summary = await rig.queue.run()
        #expect(summary.isSuccess, "\(summary.firstFailure?.error.description ?? "")")
        for operation in operations where operation.error == nil {
            let echo = try JSONDecoder().decode(Echo.self, from: #require(operation.data))
            #expect(echo.method == operation.request.method && echo.bodyLength == 300_000)
            #expect(echo.checksum == Echo.hexadecimal(ContentChecksum.of(content)))
        }
        #expect(calls.values == ["old"] && rig.queue.progress.upload.transferred == 12 * 300_000)
    }

    @Test(arguments: TransportKind.allCases)
    func `A bearer token does not go to another server`(kind: TransportKind) async throws {
        let (rig, calls) = try rig(kind)
        let other = try LoopbackServer()
        other.serve("/end", .text("who?", status: 401))
        rig.server.serve("/away", .redirect(to: other.url("/end").absoluteString))
        let operation = await rig.get("/away")
        #expect(operation.error?.code == .httpStatus(401) && calls.values.isEmpty)
        #expect(rig.server.requests.map { $0.headers["Authorization"] } == ["Bearer old"])
        #expect(other.requests.count == 1 && other.requests[0].headers["Authorization"] == nil)
    }
}
