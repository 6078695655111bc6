import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// Sizing of links that have expired.
@Suite(.timeLimit(.minutes(10)))
struct FreshURLSizingTests {
    private let links = FreshLinks()

    private func rig(
        configure: @escaping (inout NetworkQueue.Configuration) -> Void = { _ in },
        _ script: @escaping @Sendable (HTTPExchange) -> ScriptedTransport.Answer
    ) -> QueueRig<NetworkQueue> {
        QueueRig(
            ScriptedTransport(script: script),
            configure: {
                $0.showsAccurateProgress = true
                configure(&$0)
            })
    }

    private func methods(_ rig: QueueRig<NetworkQueue>) -> [String] {
        rig.transport.exchanges.map { $0.exchange.method + $0.path }
    }

    /// The first byte of ten, or all of them.
    private static func content(_ exchange: HTTPExchange) -> ScriptedTransport.Answer {
        guard exchange.headers.contains("Range") else { return .ok(Data(count: 10)) }
        return .text("0", status: 206, ["Content-Range": "bytes 0-0/10", "Content-Length": "1"])
    }

    @Test(arguments: [401, 403])
    func `A HEAD and a GET for the first byte with the same refusal call it, and the transfer uses the fresh URL`(
        status: Int
    ) async {
        let rig = rig { $0.path == "/old" ? .status(status) : Self.content($0) }
        let operation = await rig.run(links.request())
        #expect(methods(rig) == ["HEAD/old", "GET/old", "GET/fresh1", "GET/fresh1"])
        #expect(rig.transport.exchanges[1].exchange.headers["Range"] == "bytes=0-0")
        #expect(rig.transport.exchanges[2].exchange.headers["Range"] == "bytes=0-0")
        #expect(operation.error == nil && operation.attempts == 1 && links.expired == [.test("old")])
        #expect(rig.recorder.story(of: operation) == ["start", "head 200", "finish"])
        #expect(operation.request.url == .test("old"))
    }

    @Test func `The size that the fresh URL gives is known before the transfers start`() async throws {
        let rig = rig { exchange in
            if exchange.path == "/old" { return .status(410) }
            return exchange.method == "HEAD" ? .status(200, ["Content-Length": "10"]) : .hold
        }
        rig.queue.add(links.request())
        rig.queue.go()
        let transfer = await rig.transport.exchange(2)
        #expect(rig.queue.progress.download.expected == 10)
        transfer.answer(.ok(Data(count: 10)))
        await rig.recorder.waitForDrain()
        #expect(methods(rig) == ["HEAD/old", "HEAD/fresh1", "GET/fresh1"])
    }

    @Test func `A HEAD that is refused where the first byte is not calls nothing`() async {
        let rig = rig { $0.method == "HEAD" ? .status(403) : Self.content($0) }
        let operation = await rig.run(links.request())
        #expect(methods(rig) == ["HEAD/old", "GET/old", "GET/old"])
        #expect(operation.error == nil && links.calls.values.isEmpty)
    }

    @Test func `A HEAD and a GET for the first byte with different refusals call nothing`() async {
        let rig = rig { exchange in
            if exchange.method == "HEAD" { return .status(403) }
            return exchange.headers.contains("Range") ? .status(401) : .ok()
        }
        let operation = await rig.run(links.request())
        #expect(methods(rig) == ["HEAD/old", "GET/old", "GET/old"])
        #expect(operation.error == nil && links.calls.values.isEmpty)
    }

    @Test(arguments: [true, false])
    func `It is called once in sizing and run together until a byte has come`(hasURL: Bool) async {
        let links = FreshLinks { hasURL ? .test("fresh\($0)") : nil }
        let rig = rig { _ in .status(403) }
        let operation = await rig.run(links.request())
        #expect(operation.error?.code == .httpStatus(403) && links.calls.values.count == 1)
        #expect(methods(rig).last == (hasURL ? "GET/fresh1" : "GET/old"))
    }

    @Test func `A refusal says why sizing got no fresh URL, and another failure does not`() async {
        for status in [403, 404] {
            let links = FreshLinks { _ in throw POSIXError(.ENOENT) }
            let rig = rig { exchange in
                let isTransfer = exchange.method == "GET" && !exchange.headers.contains("Range")
                return .status(isTransfer ? status : 403)
            }
            let error = await rig.run(links.request()).error
            #expect(error?.code == .httpStatus(status) && links.calls.values.count == 1)
            #expect((error?.underlying as? POSIXError)?.code == (status == 403 ? .ENOENT : nil))
        }
    }

    @Test func `After a byte of the transfer it is called again`() async throws {
        let rig = rig(configure: { $0.retryPolicy = .immediate(1) }) { exchange in
            exchange.path == "/old" ? .status(410) : exchange.method == "HEAD" ? .ok() : .hold
        }
        rig.queue.add(links.request())
        rig.queue.go()
        let first = await rig.transport.exchange(2)
        first.receive(headers: ["Content-Length": "10"])
        first.receive(Data("0".utf8))
        first.end(.networkConnectionLost)
        await rig.transport.exchange(3).answer(.status(403))
        await rig.transport.exchange(4).answer(.ok())
        await rig.recorder.waitForDrain()
        #expect(methods(rig) == ["HEAD/old", "HEAD/fresh1", "GET/fresh1", "GET/fresh1", "GET/fresh2"])
        #expect(links.expired == [.test("old"), .test("fresh1")])
    }

    @Test func `Sizing gives its slot back while it works`() async {
        let gate = Gathering<Void>()
        let links = FreshLinks { _ in
            _ = await gate.wait(count: 1)
            return .test("fresh")
        }
        let rig = rig(configure: { $0.maxConcurrentRequestCount = 1 }) {
            $0.path == "/old" ? .status(410) : .ok(Data(count: 10))
        }
        rig.queue.add(links.request())
        rig.queue.add(NetworkRequest(.test("other")))
        rig.queue.go()
        _ = await links.calls.wait(count: 1)
        await rig.transport.waitForExchanges(2)
        #expect(methods(rig) == ["HEAD/old", "HEAD/other"])
        gate.add(())
        await rig.recorder.waitForDrain()
        #expect(methods(rig).contains("HEAD/fresh"))
    }
}
