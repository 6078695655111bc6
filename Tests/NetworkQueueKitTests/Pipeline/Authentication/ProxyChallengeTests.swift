import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct ProxyChallengeTests {
    /// A scripted transport whose responses may have been made by a proxy.
    private struct Proxied: Transport {
        let inner: ScriptedTransport
        /// That of the proxy's URL.
        var credential: URLCredential?

        func start(_ exchange: HTTPExchange, receiver: any ExchangeReceiver) -> any ExchangeHandle {
            inner.start(exchange, receiver: Receiver(receiver, credential))
        }
    }

    private final class Receiver: ExchangeReceiver {
        private let receiver: any ExchangeReceiver
        private let credential: URLCredential?

        init(_ receiver: any ExchangeReceiver, _ credential: URLCredential?) {
            self.receiver = receiver
            self.credential = credential
        }

        func exchangeDidSend(totalBytes: Int64) { receiver.exchangeDidSend(totalBytes: totalBytes) }
        func exchangeDidReceive(head: ResponseHead) -> ExchangeDisposition {
            var head = head
            head.isFromProxy = true
            head.proxyCredential = credential.map { Secret($0) }
            return receiver.exchangeDidReceive(head: head)
        }
        func exchangeDidReceive(body: UnsafeRawBufferPointer) -> ExchangeDisposition {
            receiver.exchangeDidReceive(body: body)
        }
        func exchangeDidComplete(error: URLError?) { receiver.exchangeDidComplete(error: error) }
    }

    private let delegate = QuestionDelegate()
    private let inner = ScriptedTransport { exchange in
        if exchange.proxyAuthorization != .basic("proxy") {
            return .status(407, ["Proxy-Authenticate": "Basic realm=\"p\""])
        }
        return exchange.headers["Authorization"] == .basic("server")
            ? .ok() : .status(401, ["WWW-Authenticate": "Basic realm=\"p\""])
    }

    private func makeQueue(_ transport: any Transport) -> NetworkQueue {
        var configuration = NetworkQueue.Configuration()
        configuration.showsAccurateProgress = false
        configuration.cancelsAllOnFailure = false
        let queue = NetworkQueue(
            configuration: configuration, transport: transport, delegateQueue: DispatchQueue(label: "test"),
            timekeeper: ManualClock())
        queue.delegate = delegate
        return queue
    }

    @Test func `A proxy's 407 is answered apart from the server's 401, even in a realm of the same name`() async {
        let queue = makeQueue(Proxied(inner: inner))
        queue.add(.test("a"))
        queue.go()
        let first = await delegate.questions.wait(count: 1)[0]
        #expect(first.challenge.isProxy && first.challenge.response.statusCode == 407)
        first.answer(.user("proxy"))
        let second = await delegate.questions.wait(count: 2)[1]
        #expect(!second.challenge.isProxy && second.challenge.previousFailureCount == 0)
        second.answer(.user("server"))
        _ = await delegate.drains.wait(count: 1)
        #expect(delegate.ends.values == ["/a ok"] && delegate.heads.values == ["/a 200"])
        #expect(inner.exchanges.map { $0.exchange.proxyAuthorization } == [nil, .basic("proxy"), .basic("proxy")])
        #expect(inner.exchanges.map { $0.exchange.headers["Authorization"] } == [nil, nil, .basic("server")])
    }

    @Test func `A proxy's 407 is answered once for all servers`() async {
        inner.setScript { exchange in
            exchange.proxyAuthorization == .basic("proxy")
                ? .ok() : .status(407, ["Proxy-Authenticate": "Basic realm=\"p\""])
        }
        let queue = makeQueue(Proxied(inner: inner))
        for host in ["a.test", "b.test", "c.test"] { queue.add(URL(string: "http://\(host)/x") ?? .test("x")) }
        queue.go()
        await delegate.questions.wait(count: 1)[0].answer(.user("proxy"))
        _ = await delegate.drains.wait(count: 1)
        #expect(delegate.ends.values.allSatisfy { $0 == "/x ok" } && delegate.questions.values.count == 1)
        #expect(inner.exchanges.allSatisfy { !$0.exchange.headers.contains("Authorization") })
    }

    @Test func `A server's 407 is the response and puts no question`() async {
        let queue = makeQueue(inner)
        queue.add(.test("a"))
        await queue.run()
        #expect(delegate.ends.values == ["/a httpStatus(407)"] && delegate.questions.values.isEmpty)
    }

    @Test func `A proxy's 407 does not get the request's own credential`() async {
        let queue = makeQueue(Proxied(inner: inner))
        var request = NetworkRequest(.test("a"))
        request.credential = .user("server")
        queue.add(request)
        queue.go()
        let question = await delegate.questions.wait(count: 1)[0]
        #expect(question.challenge.isProxy && question.challenge.rejectedCredential == nil)
        question.answer(nil)
        _ = await delegate.drains.wait(count: 1)
        #expect(inner.exchanges.map { $0.exchange.proxyAuthorization } == [nil])
        #expect(delegate.ends.values == ["/a httpStatus(407)"])
    }

    @Test func `The credential of a proxy's URL is sent when the proxy asks, and then with every request`() async {
        inner.setScript { exchange in
            exchange.proxyAuthorization == .basic("proxy")
                ? .ok() : .status(407, ["Proxy-Authenticate": "Basic realm=\"p\""])
        }
        let queue = makeQueue(Proxied(inner: inner, credential: .user("proxy")))
        queue.maxConcurrentRequestCount = 1
        for name in ["a", "b", "c"] { queue.add(.test(name)) }
        await queue.run()
        let right = String.basic("proxy")
        #expect(delegate.ends.values == ["/a ok", "/b ok", "/c ok"] && delegate.questions.values.isEmpty)
        #expect(inner.exchanges.map { $0.exchange.proxyAuthorization } == [nil, right, right, right])
    }

    @Test func `The delegate is asked when the credential of a proxy's URL is refused`() async {
        let queue = makeQueue(Proxied(inner: inner, credential: .user("wrong")))
        queue.maxConcurrentRequestCount = 1
        var request = NetworkRequest(.test("a"))
        request.credential = .user("server")
        queue.add(request)
        queue.add(.test("b"))
        queue.go()
        let question = await delegate.questions.wait(count: 1)[0]
        #expect(question.challenge.isProxy)
        question.answer(.user("proxy"))
        let server = await delegate.questions.wait(count: 2)[1]
        server.answer(.user("server"))
        _ = await delegate.drains.wait(count: 1)
        #expect(delegate.ends.values == ["/a ok", "/b ok"])
        let sent = inner.exchanges.map { $0.exchange.proxyAuthorization }
        #expect(Array(sent.prefix(3)) == [nil, .basic("wrong"), .basic("proxy")])
        #expect(sent.dropFirst(3).allSatisfy { $0 == .basic("proxy") })
    }

    @Test func `A 407 is the response when the credential of a proxy's URL is refused and there is no delegate`() async
    {
        let queue = makeQueue(Proxied(inner: inner, credential: .user("wrong")))
        queue.delegate = nil
        let operation = queue.add(.test("a"))
        await queue.run()
        #expect(operation.error?.code == .httpStatus(407))
        #expect(inner.exchanges.map { $0.exchange.proxyAuthorization } == [nil, .basic("wrong")])
    }
}
