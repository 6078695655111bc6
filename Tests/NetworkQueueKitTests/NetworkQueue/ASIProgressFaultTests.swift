import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ASIProgressFaultTests {
    private func rig(
        sizes: Bool = true, cancelsAll: Bool = false,
        _ script: @escaping @Sendable (HTTPExchange) -> ScriptedTransport.Answer
    ) -> QueueRig<NetworkQueue> {
        QueueRig(
            ScriptedTransport(script: script),
            configure: {
                $0.showsAccurateProgress = sizes
                $0.cancelsAllOnFailure = cancelsAll
            })
    }

    private func request(_ path: String, size: Int64? = nil) -> NetworkRequest {
        var request = NetworkRequest(.test(path))
        request.expectedDownloadSize = size
        return request
    }

    @Test func `The length of a 401 page is not added to the total`() async {
        let rig = rig { exchange in
            exchange.url.path() == "/locked"
                ? .respond(status: 401, headers: ["Content-Length": "50"], body: Data(count: 50)) : .hold
        }
        rig.queue.add(contentsOf: [request("locked", size: 10), request("open", size: 10)])
        rig.queue.go()
        await rig.recorder.wait { $0.contains { $0.kind == .didFail } }
        #expect(rig.queue.progress.download == .init(transferred: 0, expected: 10, isEstimated: false))
        rig.queue.cancelAll()
    }

    @Test func `The size of a response to a POST does not take progress back`() async {
        let rig = rig { _ in .hold }
        var post = NetworkRequest(.test("post"))
        post.urlRequest.httpMethod = "POST"
        post.body = .data(Data(count: 100))
        rig.queue.add(post)
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        exchange.send(80)
        let before = rig.queue.progress.fractionCompleted
        exchange.receive(headers: ["Content-Length": "100000"])
        let after = rig.queue.progress
        #expect(before == 0.8 && after.fractionCompleted >= before)
        #expect(after.download.expected == 100_000)
        rig.queue.cancelAll()
    }

    @Test func `A request added late does not take progress back`() async {
        let rig = rig { _ in .hold }
        rig.queue.add(request("a", size: 100))
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        exchange.receive(headers: ["Content-Length": "100"])
        exchange.receive(Data(count: 90))
        let before = rig.queue.progress.fractionCompleted
        rig.queue.add(request("b", size: 100_000))
        #expect(before == 0.9 && rig.queue.progress.fractionCompleted == before)
        #expect(rig.queue.progress.download.expected == 100_100)
        rig.queue.cancelAll()
    }
}
