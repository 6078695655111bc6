import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct FreshURLTests {
    private let links = FreshLinks()

    // MARK: When it is called

    @Test(arguments: [401, 403, 410])
    func `A request whose link has expired goes on at the fresh URL`(status: Int) async throws {
        let rig = QueueRig(.refusingOld(status))
        let operation = await rig.run(links.request())
        #expect(operation.data == Data("content".utf8) && operation.attempts == 2)
        #expect(rig.transport.paths == ["/old", "/fresh1"])
        #expect(rig.recorder.story(of: operation) == ["start", "retry httpStatus(\(status))", "head 200", "finish"])
        #expect(rig.retryDelays == [.zero])
        #expect(links.expired == [.test("old")])
        let error = try #require(links.calls.values.first?.error)
        #expect(error.code == .httpStatus(status) && error.url == .test("old") && error.operationID == operation.id)
        #expect(error.response?.data == Data("expired".utf8))
        #expect(operation.request.url == .test("old") && operation.responseHead?.url == .test("fresh1"))
        #expect(operation.mirror == nil)
    }

    @Test func `A RequestQueue and an operation in no queue go on at the fresh URL, too`() async throws {
        let rig = QueueRig.requestQueue(.refusingOld())
        rig.queue.add(rig.make(links.request()))
        let alone = rig.make(links.request())
        alone.setStandalone(transport: rig.transport, timekeeper: rig.clock)
        alone.start()
        _ = await rig.texts(2)
        #expect(rig.outcomes.values.allSatisfy { $0.text.hasSuffix("ok") } && links.calls.values.count == 2)
    }

    @Test func `Other statuses, and an accepted one, call nothing`() async {
        let rig = QueueRig(.refusingOld(404))
        #expect(await rig.run(links.request()).error?.code == .httpStatus(404))
        #expect(await rig.run(links.request { $0.validation = ResponseValidation.none }).error == nil)
        rig.transport.setScript { _ in .status(403) }
        #expect(await rig.run(links.request { $0.validation = ResponseValidation.none }).error == nil)
        #expect(await rig.run(links.request { $0.freshURLStatusCodes = [404] }).error?.code == .httpStatus(403))
        #expect(links.calls.values.isEmpty)
        rig.transport.setScript { $0.path == "/old" ? .status(404) : .ok() }
        #expect(await rig.run(links.request { $0.freshURLStatusCodes = [404] }).error == nil)
        #expect(links.calls.values.count == 1)
    }

    @Test func `A refusal by a validation of the user's own counts`() async {
        struct Refusal: Error {}
        let rig = QueueRig(.refusingOld())
        let request = links.request {
            $0.validation = .custom { if $0.statusCode != 200 { throw Refusal() } }
        }
        #expect(await rig.run(request).error == nil && links.calls.values.count == 1)
    }

    @Test func `It is called three times in a row without a byte, and then the refusal is a failure`() async {
        let rig = QueueRig(ScriptedTransport { _ in .status(403) })
        let operation = await rig.run(links.request())
        #expect(operation.error?.code == .httpStatus(403) && operation.error?.url == .test("old"))
        #expect(rig.transport.paths == ["/old", "/fresh1", "/fresh2", "/fresh3"])
        #expect(links.expired == [.test("old"), .test("fresh1"), .test("fresh2")])
        let retry = "retry httpStatus(403)"
        #expect(
            rig.recorder.story(of: operation) == [
                "start", retry, retry, retry, "head 403", "fail httpStatus(403)",
            ])
    }

    @Test func `A byte of content makes room for three more calls`() async throws {
        let rig = QueueRig.started { $0.retryPolicy = .immediate(1) }
        let operation = rig.queue.add(
            links.request { $0.destination = .file(rig.folder.file("file"), onConflict: .fail, resumes: true) })
        for number in 0..<3 { await rig.transport.exchange(number).answer(.status(403)) }
        let cut = await rig.transport.exchange(3)
        cut.receive(headers: ["ETag": "\"v1\"", "Content-Length": "10"])
        cut.receive(Data("0".utf8))
        cut.end(.networkConnectionLost)
        for number in 4..<7 { await rig.transport.exchange(number).answer(.status(410)) }
        await rig.transport.exchange(7).answer(.rest("123456789", from: 1))
        await rig.end(of: operation)
        #expect(operation.error == nil && links.calls.values.count == 6)
        #expect(try rig.folder.read("file") == "0123456789")
    }

    @Test func `It gets the current URL of the request, also if the target of a redirect has refused`() async {
        let rig = QueueRig(
            ScriptedTransport { exchange in
                switch exchange.path {
                case "/old", "/fresh1": .status(302, ["Location": "http://store.test/target"])
                case "/target": .status(403)
                default: .ok()
                }
            })
        let operation = await rig.run(links.request())
        #expect(operation.error == nil && links.expired == [.test("old"), .test("fresh1")])
        #expect(rig.transport.paths == ["/old", "/target", "/fresh1", "/target", "/fresh2"])
    }

    // MARK: Order

    @Test func `After a 401 the credential comes first, then the authenticator, then freshURL`() async {
        let order = Gathering<String>()
        let authenticator = TestAuthenticator {
            order.add("authenticator")
            return "new"
        }
        let links = FreshLinks { _ in
            order.add("freshURL")
            return .test("fresh")
        }
        let rig = QueueRig(
            ScriptedTransport { $0.path == "/old" ? .refusal("Basic realm=\"r\"") : .ok() },
            configure: { $0.authenticator = authenticator },
            credential: { challenge in
                if challenge.previousFailureCount > 0 { return nil }
                order.add("credential")
                return URLCredential(user: "u", password: "p", persistence: .none)
            })
        let operation = await rig.run(links.request())
        #expect(operation.error == nil && order.values == ["credential", "authenticator", "freshURL"])
    }

    @Test func `An authenticator that throws ends the request, and nothing is called`() async {
        struct Refusal: Error {}
        let authenticator = TestAuthenticator { throw Refusal() }
        let rig = QueueRig(.refusingOld(401), configure: { $0.authenticator = authenticator })
        let operation = await rig.run(links.request())
        #expect(operation.error?.code == .authenticationRequired && links.calls.values.isEmpty)
    }

    @Test func `A 403 with a used-up quota waits and calls nothing`() async {
        let rig = QueueRig(configure: { $0.retryPolicy = .immediate(1) })
        let operation = rig.queue.add(links.request())
        rig.queue.go()
        let quota: HTTPHeaders = ["RateLimit-Remaining": "0", "RateLimit-Reset": "30"]
        await rig.transport.exchange(0).answer(.status(403, quota))
        await rig.waitForRetries(1)
        rig.advance(by: .seconds(29))
        #expect(rig.transport.counts.started == 1)
        rig.advance(by: .seconds(1))
        await rig.transport.exchange(1).answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(operation.error == nil && links.calls.values.isEmpty && rig.transport.paths == ["/old", "/old"])
    }

    @Test func `It comes before the decider, the policy and the mirrors, whose failures do not call it`() async {
        let order = Gathering<String>()
        let links = FreshLinks { number in
            order.add("freshURL")
            return .test("fresh\(number)")
        }
        let rig = QueueRig(ScriptedTransport { _ in .status(403) }) {
            $0.retryDecider = .decider { error, context in
                order.add("decider")
                return .usePolicy
            }
            $0.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.zero), statusCodes: [403])
        }
        let operation = await rig.run(links.request { $0.mirrors = [.test("mirror")] })
        #expect(
            order.values == ["freshURL", "freshURL", "freshURL", "decider", "decider", "decider", "decider"])
        let paths = ["/old", "/fresh1", "/fresh2", "/fresh3", "/fresh3", "/mirror", "/mirror"]
        #expect(rig.transport.paths == paths)
        #expect(operation.error?.url == .test("mirror"))
        #expect(operation.error?.formerFailures.map(\.url) == [.test("old")])
    }

    @Test func `A fresh URL costs no retry`() async {
        let rig = QueueRig(
            ScriptedTransport { exchange in
                switch exchange.path {
                case "/old": .status(403)
                default: .status(503)
                }
            }, configure: { $0.retryPolicy = .immediate(2) })
        let operation = await rig.run(links.request())
        #expect(operation.error?.code == .httpStatus(503))
        #expect(rig.transport.paths == ["/old", "/fresh1", "/fresh1", "/fresh1"])
    }

    // MARK: While it works

    @Test(arguments: QueueKind.allCases)
    func `The slot is given back while it works`(kind: QueueKind) async {
        let gate = Gathering<Void>()
        let links = FreshLinks { _ in
            _ = await gate.wait(count: 1)
            return .test("fresh")
        }
        let rig = QueueRig(kind, .refusingOld(), limit: 1)
        let operation = rig.make(links.request())
        rig.queue.add(operation)
        _ = await links.calls.wait(count: 1)
        rig.queue.add(rig.make(NetworkRequest(.test("other"))))
        #expect(await rig.texts(1) == ["/other ok"])
        #expect(operation.status == .retrying && operation.attempts == 1)
        gate.add(())
        #expect(await rig.texts(2) == ["/other ok", "/old ok"])
    }

    @Test func `A cancellation ends the request at once, and cancels the task of the closure`() async {
        let cancelled = Gathering<Void>()
        let links = FreshLinks { _ in
            await withTaskCancellationHandler {
                _ = await cancelled.wait(count: 1)
            } onCancel: {
                cancelled.add(())
            }
            return .test("fresh")
        }
        let rig = QueueRig(.refusingOld())
        let operation = rig.queue.add(links.request())
        rig.queue.go()
        _ = await links.calls.wait(count: 1)
        operation.cancel()
        await rig.recorder.waitForDrain()
        #expect(operation.status == .cancelled)
        _ = await cancelled.wait(count: 1)
        await rig.flush()
        #expect(rig.transport.paths == ["/old", "/flush"])
    }

    @Test func `The total timeout ends the request while it works`() async {
        let gate = Gathering<Void>()
        let links = FreshLinks { _ in
            _ = await gate.wait(count: 1)
            return .test("fresh")
        }
        let rig = QueueRig(.refusingOld())
        let operation = rig.queue.add(links.request { $0.totalTimeout = .seconds(5) })
        rig.queue.go()
        _ = await links.calls.wait(count: 1)
        rig.advance(by: .seconds(5))
        await rig.recorder.waitForDrain()
        #expect(operation.error?.code == .timedOut && operation.error?.response?.head.statusCode == 403)
        gate.add(())
        await rig.flush()
        #expect(rig.transport.paths == ["/old", "/flush"])
    }

    @Test func `A request that is paused while it works goes on at the fresh URL when it is resumed`() async {
        let gate = Gathering<Void>()
        let links = FreshLinks { _ in
            _ = await gate.wait(count: 1)
            return .test("fresh")
        }
        let rig = QueueRig(.refusingOld())
        let operation = rig.queue.add(links.request())
        rig.queue.go()
        _ = await links.calls.wait(count: 1)
        operation.pause()
        gate.add(())
        rig.settle()
        #expect(operation.status == .paused && rig.transport.paths == ["/old"])
        operation.resume()
        await rig.recorder.waitForDrain()
        #expect(operation.error == nil && rig.transport.paths == ["/old", "/fresh"])
    }

    // MARK: No fresh URL

    @Test func `Without a fresh URL the request fails with the server's error, whatever the policy says`() async {
        let rig = QueueRig(.refusingOld()) {
            $0.retryPolicy = RetryPolicy(maxRetries: 3, backoff: .constant(.zero), statusCodes: [403])
        }
        let links = FreshLinks { _ in nil }
        let operation = await rig.run(links.request { $0.mirrors = [.test("mirror")] })
        let error = operation.error
        #expect(error?.code == .httpStatus(403) && error?.underlying == nil && error?.attempts == 1)
        #expect(error?.response?.data == Data("expired".utf8) && error?.url == .test("old"))
        #expect(
            rig.recorder.story(of: operation) == [
                "start", "retry httpStatus(403)", "head 403", "fail httpStatus(403)",
            ])
        #expect(links.calls.values.count == 1 && rig.transport.paths == ["/old"])
    }

    @Test func `What the closure throws is beneath the server's error`() async {
        struct NoLink: Error {}
        let rig = QueueRig(.refusingOld(410))
        let operation = await rig.run(FreshLinks { _ in throw NoLink() }.request())
        #expect(operation.error?.code == .httpStatus(410) && operation.error?.underlying is NoLink)
        #expect(operation.error?.response?.head.statusCode == 410 && rig.transport.counts.started == 1)
    }

    @Test(arguments: ["http://host.test/fresh", "ftp://host.test/fresh", "/fresh"])
    func `A fresh URL without https in place of one with it is refused, and so is one that is not http at all`(
        fresh: String
    ) async throws {
        let rig = QueueRig(.refusingOld())
        let url = try #require(URL(string: fresh))
        let request = FreshLinks(url: url).request { $0.url = URL(string: "https://host.test/old") ?? $0.url }
        let operation = await rig.run(request)
        let reason = try #require(operation.error?.underlying as? NetworkError)
        #expect(operation.error?.code == .httpStatus(403) && rig.transport.paths == ["/old"])
        #expect([.tlsFailure, .unsupportedScheme, .badURL].contains(reason.code))
    }

    @Test func `A sink that cannot start over gets no fresh URL`() async {
        final class Once: DownloadSink {
            func write(_ chunk: Data) async throws {}
            func mayStartOver() -> Bool { false }
        }
        let rig = QueueRig(.refusingOld())
        let operation = await rig.run(links.request { $0.destination = .sink(Once()) })
        #expect(operation.error?.code == .httpStatus(403) && links.calls.values.isEmpty)
    }
}
