import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// How an upload by tus takes what a server may answer.
@Suite(.timeLimit(.minutes(10)))
struct TusAnswerTests {
    private static let endpoint = URL.test("files")

    /// A rig with a server that creates the upload `/files/secret` of seven bytes, and answers other requests with
    /// `answer`.
    private func rig(
        configure: (inout NetworkQueue.Configuration) -> Void = { _ in },
        answer: @escaping @Sendable (HTTPExchange) -> ScriptedTransport.Answer
    ) -> QueueRig<NetworkQueue> {
        let rig = QueueRig(
            ScriptedTransport { exchange in
                switch exchange.method {
                case "OPTIONS": .status(204)
                case "POST": .status(201, ["Location": "/files/secret"])
                default: answer(exchange)
                }
            }, configure: configure)
        rig.queue.stateFolder = rig.folder.file("state")
        return rig
    }

    private func upload(_ rig: QueueRig<NetworkQueue>) throws -> NetworkRequest {
        .upload(try rig.folder.write(Data("content".utf8), to: "a"), to: Self.endpoint, protocol: .tus)
    }

    private func log(_ rig: QueueRig<NetworkQueue>) -> [String] {
        rig.transport.exchanges.map { "\($0.exchange.method) \($0.path)" }
    }

    // MARK: The secret

    /// Writes down all that monitors are given.
    private struct Printer: QueueMonitor {
        let log: Gathering<String>

        func attempt(didReceive head: ResponseHead, in context: AttemptContext) { add(head, context) }

        func attempt(willRedirectTo url: URL, after head: ResponseHead, in context: AttemptContext) {
            log.add("\(url)")
            add(head, context)
        }

        func attempt(didReceive challenge: AuthenticationChallenge, in context: AttemptContext) {
            log.add("\(challenge.url)")
            add(challenge.response, context)
        }

        func attemptDidEnd(with error: NetworkError?, metrics: RequestMetrics, in context: AttemptContext) {
            if let head = error?.response?.head { add(head, context) }
        }

        private func add(_ head: ResponseHead, _ context: AttemptContext) {
            log.add("\(head.url) \(head.headers.map(\.value)) \(String(describing: context.sentRequest?.url))")
        }
    }

    @Test(arguments: [
        (ScriptedTransport.Answer.status(204, ["Transfer-Encoding": "gzip"]), NetworkError.Code.badServerResponse),
        (.status(307, ["Location": "/files/secret/again"]), .tooManyRedirects),
        (.status(307, ["Location": "https://other.test/secret"]), .tooManyRedirects),
        (.status(401, ["WWW-Authenticate": "Basic realm=\"r\""]), .httpStatus(401)),
        (.status(401, ["WWW-Authenticate": "Bearer"]), .authenticationRequired),
    ])
    func `No answer brings the URL of the upload into a log or an error`(
        answer: ScriptedTransport.Answer, code: NetworkError.Code
    ) async throws {
        let log = Gathering<String>()
        let authenticator = TestAuthenticator { throw CocoaError(.userCancelled) }
        let rig = rig {
            $0.monitors = [EventLogger { log.add($0) }, Printer(log: log)]
            if code == .authenticationRequired { $0.authenticator = authenticator }
        } answer: { _ in
            answer
        }
        let operation = await rig.run(try upload(rig))
        let error = try #require(operation.error)
        #expect(error.code == code)
        let heads = ([error] + authenticator.refreshed.values.map(\.error)).compactMap(\.response?.head)
        let texts =
            log.values + heads.map { "\($0.url) \($0.headers.map(\.value))" }
            + ["\(error)", String(reflecting: error), error.localizedDescription, "\(operation)"]
        #expect(texts.filter { $0.contains("secret") } == [])
    }

    @Test func `A challenge during an upload tells which server asks`() async throws {
        let hosts = Gathering<String?>()
        let rig = rig {
            $0.monitors = [Asker(hosts: hosts)]
        } answer: { exchange in
            exchange.url.host() == "other.test"
                ? .status(401, ["WWW-Authenticate": "Basic realm=\"r\""])
                : .status(307, ["Location": "https://other.test/secret"])
        }
        _ = await rig.run(try upload(rig))
        #expect(hosts.values == ["other.test"])
    }

    private struct Asker: QueueMonitor {
        let hosts: Gathering<String?>

        func attempt(didReceive challenge: AuthenticationChallenge, in context: AttemptContext) {
            hosts.add(challenge.url.host())
        }
    }

    @Test func `An answer is a success from 200 to 299`() async throws {
        for (status, isSuccess) in [(200, true), (299, true), (300, false)] {
            let rig = rig { _ in .status(status, ["Upload-Offset": "7"]) }
            let error = await rig.run(try upload(rig)).error
            #expect(error?.code == (isSuccess ? nil : .httpStatus(status)))
        }
    }

    @Test func `A server that never takes a piece is asked three times more where to go on`() async throws {
        let rig = rig { $0.method == "HEAD" ? .status(200, ["Upload-Offset": "0"]) : .status(409) }
        #expect(await rig.run(try upload(rig)).error?.code == .httpStatus(409))
        #expect(log(rig).count { $0.hasPrefix("PATCH") } == 4 && log(rig).count { $0.hasPrefix("HEAD") } == 3)
    }

    // MARK: What is kept between runs

    @Test(arguments: ["https://other.test/files/secret", "file:///etc/passwd", "/files/secret", "%", ""])
    func `A URL that was kept but is not at the endpoint's server is not used`(url: String) async throws {
        let rig = rig { _ in .status(204, ["Upload-Offset": "7"]) }
        let request = try upload(rig)
        let file = try BodyFile(rig.folder.file("a"))
        let place = TusPlace(rig.folder.file("state"), request, file)
        try place.write(TusUpload.State(url: url))
        #expect(await rig.run(request).error == nil)
        #expect(log(rig) == ["OPTIONS /files", "POST /files", "PATCH /files/secret"])
    }

    @Test func `An upload that the server refuses to show is kept until another one is created`() async throws {
        let answers = Guarded([403, 403])
        let rig = QueueRig(
            ScriptedTransport { exchange in
                switch exchange.method {
                case "OPTIONS": .status(204)
                case "PATCH": .status(204, ["Upload-Offset": "7"])
                default:
                    answers.withLock { $0.popLast() }.map { .status($0) } ?? .status(200, ["Upload-Offset": "3"])
                }
            })
        rig.queue.stateFolder = rig.folder.file("state")
        let request = try upload(rig)
        let place = TusPlace(rig.folder.file("state"), request, try BodyFile(rig.folder.file("a")))
        try place.write(TusUpload.State(url: URL.test("files/secret").absoluteString))
        #expect(await rig.run(request).error?.code == .httpStatus(403))
        #expect(await rig.run(request).error == nil)
        #expect(
            log(rig) == [
                "OPTIONS /files", "HEAD /files/secret", "POST /files", "HEAD /files/secret", "PATCH /files/secret",
            ])
    }

    @Test func `Progress stays where it was if the server has dropped a resumed upload`() async throws {
        let rig = QueueRig()
        rig.queue.stateFolder = rig.folder.file("state")
        let request = try upload(rig)
        let place = TusPlace(rig.folder.file("state"), request, try BodyFile(rig.folder.file("a")))
        try place.write(TusUpload.State(url: URL.test("files/secret").absoluteString))
        let operation = rig.queue.add(request)
        rig.queue.go()
        await rig.transport.exchange(0).answer(.status(204))
        await rig.transport.exchange(1).answer(.status(200, ["Upload-Offset": "3"]))
        await rig.transport.exchange(2).answer(.status(404))
        await rig.transport.exchange(3).answer(.status(201, ["Location": "/files/other"]))
        let piece = await rig.transport.exchange(4)
        #expect(operation.progress.upload.transferred == 3 && rig.queue.progress.upload.transferred == 3)
        piece.answer(.status(204, ["Upload-Offset": "7"]))
        await rig.recorder.waitForDrain()
        #expect(operation.error == nil)
    }

    @Test func `A 403 that says that a quota is used up does not make the upload start over`() async throws {
        let answers = Guarded<[ScriptedTransport.Answer]>([.status(403, ["RateLimit": #""a";r=0;t=3"#])])
        let rig = rig {
            $0.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.zero))
        } answer: { _ in
            answers.withLock { $0.popLast() } ?? .status(204, ["Upload-Offset": "7"])
        }
        let request = try upload(rig)
        let place = TusPlace(rig.folder.file("state"), request, try BodyFile(rig.folder.file("a")))
        try place.write(TusUpload.State(url: URL.test("files/secret").absoluteString))
        let operation = rig.queue.add(request)
        rig.queue.go()
        await rig.recorder.wait { $0.contains { $0.kind == .willRetry } }
        rig.advance(by: .seconds(3))
        await rig.recorder.waitForDrain()
        #expect(operation.error == nil)
        #expect(log(rig) == ["OPTIONS /files", "HEAD /files/secret", "HEAD /files/secret"])
    }

    @Test func `The first upload of a queue removes the states that nothing has used for thirty days`() async throws {
        let rig = rig { _ in .status(204, ["Upload-Offset": "7"]) }
        let state = String(repeating: "0f", count: 32)
        let draft = state + "." + UUID().uuidString
        let others = ["notes.txt", state + ".txt", state + "0", ".hidden"]
        try FileManager.default.createDirectory(at: rig.folder.file("state"), withIntermediateDirectories: true)
        func makeFiles(_ names: [String], daysAgo: Double) throws {
            for name in names {
                let file = try rig.folder.write(Data(), to: "state/" + name)
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: -86_400 * daysAgo)],
                    ofItemAtPath: file.path(percentEncoded: false))
            }
        }
        let young = String(repeating: "1e", count: 32)
        try makeFiles([state, draft] + others, daysAgo: 31)
        try makeFiles([young], daysAgo: 29)
        #expect(await rig.run(try upload(rig)).error == nil)
        #expect(try Set(rig.folder.files(in: "state")) == Set(others + [young]))
        try makeFiles([state], daysAgo: 31)
        #expect(await rig.run(try upload(rig)).error == nil)
        #expect(try Set(rig.folder.files(in: "state")) == Set(others + [young, state]))
    }

    @Test func `A state that is read counts as used`() throws {
        let folder = try TemporaryFolder()
        let file = try BodyFile(folder.write(Data("content".utf8), to: "a"))
        let request = NetworkRequest.upload(folder.file("a"), to: Self.endpoint, protocol: .tus)
        let place = TusPlace(folder.file("not/there/yet"), request, file)
        let state = TusUpload.State(url: Self.endpoint.absoluteString)
        try place.write(state)
        let date = Date(timeIntervalSince1970: 2_000_000_000)
        #expect(try place.read(now: date) == state)
        place.cleanFolder(now: date.addingTimeInterval(29 * 86_400))
        #expect(try place.read(now: date) == state)
        place.cleanFolder(now: date.addingTimeInterval(31 * 86_400))
        #expect(try place.read() == nil)
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "only root may mount a small file system"))
    func `A state for which there is no room is an error, and nothing of it is kept`() throws {
        let disk = try SmallDisk(megabytes: 1)
        defer { disk.remove() }
        let file = try BodyFile(disk.folder.write(Data("content".utf8), to: "a"))
        let request = NetworkRequest.upload(disk.folder.file("a"), to: Self.endpoint, protocol: .tus)
        let place = TusPlace(disk.folder.file("state"), request, file)
        let state = TusUpload.State(url: Self.endpoint.absoluteString)
        #expect(throws: (any Error).self) { try disk.folder.write(Data(count: 2 << 20), to: "filler") }
        #expect(throws: NetworkError.self) { try place.write(state) }
        #expect(try place.read() == nil && disk.folder.files(in: "state") == [])
    }

    @Test func `A queue remembers the offers of some servers`() {
        let memory = TusMemory()
        let offer = TusOffer(ResponseHead(statusCode: 204, headers: ["Tus-Extension": "termination"], url: .test("")))
        for number in 0...TusMemory.capacity { memory[.test("\(number)")] = offer }
        #expect(memory[.test("0")] == nil && memory[.test("\(TusMemory.capacity)")] == offer)
    }

    @Test func `A server that does not answer OPTIONS offers nothing`() {
        let offer = TusOffer(ResponseHead(statusCode: 405, headers: ["Tus-Extension": "termination"], url: .test("")))
        #expect(offer == TusOffer(ResponseHead(statusCode: 204, headers: [:], url: .test(""))))
        #expect(!offer.terminates)
    }

    // MARK: Authorization

    @Test func `An authorization that expires again during an upload is renewed again`() async throws {
        let tokens = Guarded(0)
        let authenticator = TestAuthenticator {
            tokens.withLock { number in
                number += 1
                return "\(number)"
            }
        }
        let rig = rig {
            $0.authenticator = authenticator
            $0.requestDefaults.uploadPieceLength = 3
        } answer: { exchange in
            // Each token is good for the pieces up to an offset.
            let offset = Int(exchange.headers["Upload-Offset"] ?? "") ?? 0
            guard exchange.headers["Authorization"] == "Bearer \(offset / 3 + 1)" else {
                return .status(401, ["WWW-Authenticate": "Bearer"])
            }
            return .status(204, ["Upload-Offset": "\(min(offset + 3, 7))"])
        }
        let operation = await rig.run(try upload(rig))
        #expect(operation.error == nil && authenticator.refreshed.values.count == 3)
    }

    @Test func `An authorization that the server never takes is renewed once`() async throws {
        let authenticator = TestAuthenticator()
        let rig = rig {
            $0.authenticator = authenticator
        } answer: { _ in
            .status(401, ["WWW-Authenticate": "Bearer"])
        }
        #expect(await rig.run(try upload(rig)).error?.code == .httpStatus(401))
        #expect(authenticator.refreshed.values.count == 1)
    }

    // MARK: A fresh endpoint

    @Test func `An upload starts over at the server of a fresh URL`() async throws {
        let rig = rig { exchange in
            exchange.url.host() == "fresh.test" ? .status(204, ["Upload-Offset": "7"]) : .status(403)
        }
        var request = try upload(rig)
        request.freshURL = { _, _ in URL(string: "https://fresh.test/files") }
        #expect(await rig.run(request).error == nil)
        let hosts = rig.transport.exchanges.map { "\($0.exchange.method) \($0.exchange.url.host() ?? "")" }
        let own = Self.endpoint.host() ?? ""
        let methods = ["OPTIONS", "POST", "PATCH"]
        #expect(hosts == methods.map { "\($0) \(own)" } + methods.map { "\($0) fresh.test" })
    }
}
