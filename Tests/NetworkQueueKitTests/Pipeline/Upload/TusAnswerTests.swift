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
