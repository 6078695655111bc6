import Dispatch
import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// Names and passwords, asked for by servers that have nothing to do with this library.
@Suite(.timeLimit(.minutes(10)))
struct RealAuthenticationTests {
    typealias Scheme = ProtectedServer.Scheme

    /// A queue in front of a protected server.
    private func makeRig(
        _ kind: TransportKind, _ scheme: Scheme,
        credential: @escaping @Sendable (AuthenticationChallenge) -> URLCredential? = { _ in nil }
    ) throws -> (ProtectedServer, LiveRig<NetworkQueue>) {
        let server = try ProtectedServer(scheme)
        let rig = try LiveRig(
            kind, server: server.backend, configure: { $0.maxConcurrentRequestCount = 5 }, credential: credential)
        return (server, rig)
    }

    @Test(arguments: TransportKind.allCases, Scheme.allCases.filter(\.isInstalled))
    func `Basic and Digest work with nginx, Apache and lighttpd`(kind: TransportKind, scheme: Scheme) async throws {
        try await asksOnce(kind, scheme)
        try await takesTheRequestsOwn(kind, scheme)
        try await sendsContentAgain(kind, scheme)
        try await reportsWithoutCredential(kind, scheme)
    }

    /// Fifty requests, five at a time, and one question; another one because the first answer is wrong.
    private func asksOnce(_ kind: TransportKind, _ scheme: Scheme) async throws {
        let (server, rig) = try makeRig(kind, scheme) {
            $0.previousFailureCount == 0 ? .test("user", "worm") : .test("user", "word")
        }
        defer { server.stop() }
        let operations = (0..<50).map { rig.queue.add(server.url("\($0)?q=a%20b")) }
        let summary = await rig.queue.run()
        #expect(summary.counts == .init(finished: 50), "\(summary.firstFailure?.error.description ?? "")")
        #expect(rig.recorder.challenges.map(\.previousFailureCount) == [0, 1])
        #expect(rig.recorder.challenges.map(\.rejectedCredential?.password) == [nil, "worm"])
        #expect(
            rig.recorder.challenges.allSatisfy { $0.realm == "realm" && !$0.isProxy && $0.scheme == scheme.challenge })
        #expect(operations.allSatisfy { $0.attempts == 1 && $0.responseHead?.statusCode == 200 })
        #expect(rig.server.requests.count == 50)
        // The next batch knows.
        rig.queue.add(server.url("later"))
        #expect(await rig.queue.run().isSuccess)
        #expect(rig.recorder.challenges.count == 2)
    }

    private func takesTheRequestsOwn(_ kind: TransportKind, _ scheme: Scheme) async throws {
        let (server, rig) = try makeRig(kind, scheme) { _ in .test("user", "word") }
        defer { server.stop() }
        for number in 0..<10 {
            var request = NetworkRequest(server.url("\(number)"))
            request.credential = .test("user", "word")
            rig.queue.add(request)
        }
        #expect(await rig.queue.run().counts == .init(finished: 10))
        #expect(rig.recorder.challenges.isEmpty)

        // One that is wrong is a failure that the delegate is told of.
        var request = NetworkRequest(server.url("wrong"))
        request.credential = .test("user", "worm")
        rig.queue.add(request)
        #expect(await rig.queue.run().isSuccess)
        #expect(rig.recorder.challenges.map(\.previousFailureCount) == [1])
        #expect(rig.recorder.challenges.first?.rejectedCredential?.password == "worm")
    }

    private func sendsContentAgain(_ kind: TransportKind, _ scheme: Scheme) async throws {
        let (server, rig) = try makeRig(kind, scheme) { _ in .test("user", "word") }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let content = Data(GeneratedContent(size: 300_000, seed: 4).bytes(in: 0..<300_000))
        let file = try folder.write(content, to: "content")
        let operations = ["PUT", "POST", "PATCH"].flatMap { method in
            [RequestBody.data(content), .file(file), .data(Data())].map { body in
                var request = NetworkRequest(server.url("echo"))
                request.urlRequest.httpMethod = method
                request.urlRequest.setValue("text/plain", forHTTPHeaderField: "Content-Type")
                request.body = body
                return rig.queue.add(request)
            }
        }
        let summary = await rig.queue.run()
        #expect(summary.isSuccess, "\(summary.firstFailure?.error.description ?? "")")
        for operation in operations where operation.error == nil {
            let echo = try JSONDecoder().decode(Echo.self, from: #require(operation.data))
            #expect(echo.method == operation.request.urlRequest.httpMethod)
            if operation.request.body == .data(Data()) {
                #expect(echo.bodyLength == 0)
            } else {
                #expect(echo.bodyLength == 300_000 && echo.checksum == Echo.hexadecimal(ContentChecksum.of(content)))
            }
        }
        #expect(rig.recorder.challenges.count == 1)
        #expect(rig.queue.progress.upload.transferred == 6 * 300_000)
    }

    private func reportsWithoutCredential(_ kind: TransportKind, _ scheme: Scheme) async throws {
        let (server, rig) = try makeRig(kind, scheme)
        defer { server.stop() }
        let operations = (0..<10).map { _ in rig.queue.add(server.url("x")) }
        await rig.queue.run()
        #expect(operations.allSatisfy { $0.error?.code == .httpStatus(401) })
        #expect(rig.recorder.challenges.count == 1 && rig.server.requests.isEmpty)
        #expect(rig.recorder.story(of: operations[9]).suffix(2) == ["head 401", "fail httpStatus(401)"])
    }
}
