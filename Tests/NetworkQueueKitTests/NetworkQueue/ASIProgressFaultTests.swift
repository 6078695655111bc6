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
    ) -> QueueRig {
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

    @Test func `Progress stays below 1 when more bytes come than were expected`() async {
        let rig = rig { _ in .hold }
        rig.queue.add(contentsOf: [request("a", size: 10), request("b", size: 10)])
        rig.queue.go()
        let exchange = await rig.transport.exchange(0)
        exchange.receive()
        exchange.receive(Data(count: 500))
        #expect(rig.queue.progress.fractionCompleted < 1)
        rig.queue.cancelAll()
    }

    @Test func `Progress ends at 1 when fewer bytes come than were expected, and after a failure`() async {
        let rig = rig { $0.url.path() == "/a" ? .ok(Data(count: 3)) : .fail(.timedOut) }
        rig.queue.add(contentsOf: [request("a", size: 1000), request("b", size: 1000)])
        await rig.queue.run()
        #expect(rig.recorder.updates.last?.fractionCompleted == 1)
    }

    @Test func `Progress is a number when the total is 0`() async {
        let rig = rig { _ in .ok() }
        rig.queue.add(contentsOf: [request("a", size: 0), request("b", size: 0)])
        rig.queue.go()
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.updates.allSatisfy { $0.fractionCompleted.isFinite })
    }

    @Test func `A failed request's size leaves the total`() async {
        let rig = rig { $0.url.path() == "/bad" ? .fail(.timedOut) : .hold }
        rig.queue.add(contentsOf: [request("bad", size: 900), request("good", size: 100)])
        rig.queue.go()
        let good = await rig.transport.exchange(1)
        await rig.recorder.wait { $0.contains { $0.kind == .didFail } }
        good.receive(headers: ["Content-Length": "100"])
        good.receive(Data(count: 50))
        #expect(rig.queue.progress.fractionCompleted == 0.5)
        rig.queue.cancelAll()
    }

    @Test func `An unknown length counts as the mean of the known ones`() async {
        let rig = rig { $0.method == "HEAD" ? .status(500) : .hold }
        rig.queue.add(contentsOf: [request("known", size: 100), request("unknown")])
        rig.queue.go()
        await rig.transport.waitForExchanges(3)
        #expect(rig.queue.progress.download == .init(transferred: 0, expected: 200, isEstimated: true))
        rig.queue.cancelAll()
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

    @Test func `didStart is called once, however many redirects follow`() async {
        let rig = rig(sizes: false) { exchange in
            exchange.url.path() == "/end"
                ? .ok() : .status(302, ["Location": exchange.url.path() == "/0" ? "/1" : "/end"])
        }
        let operation = rig.add(1)[0]
        await rig.queue.run()
        #expect(
            rig.recorder.story(of: operation) == ["start", "redirect /1", "redirect /end", "head 200", "finish"])
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `didReceiveHeaders is not called for a redirect that is followed`(status: Int) async {
        let rig = rig(sizes: false) { $0.url.path() == "/0" ? .status(status, ["Location": "/end"]) : .ok() }
        let operation = rig.add(1)[0]
        await rig.queue.run()
        #expect(rig.recorder.story(of: operation).filter { $0.hasPrefix("head") } == ["head 200"])
    }

    // MARK: What users asked for

    @Test func `A suspended queue starts nothing and cancels nothing`() async {
        let rig = rig(sizes: false) { _ in .hold }
        rig.queue.maxConcurrentRequestCount = 1
        rig.add(2)
        rig.queue.go()
        await rig.transport.waitForExchanges(1)
        rig.queue.isSuspended = true
        rig.transport.exchanges[0].answer(.ok())
        #expect(rig.transport.counts.started == 1 && rig.transport.counts.cancelled == 0 && rig.queue.requestCount == 1)
        rig.queue.isSuspended = false
        await rig.transport.exchange(1).answer(.ok())
        await rig.recorder.waitForDrain()
    }

    @Test func `One of many requests added at once can be canceled, and each one's handler is called`() async {
        let rig = rig(sizes: false) { _ in .ok() }
        let operations = rig.queue.add(contentsOf: (0..<50).map { NetworkRequest(.test("\($0)")) })
        let (calls, call) = AsyncStream.makeStream(of: NetworkError.Code?.self)
        for operation in operations { operation.completionHandler = { call.yield($2?.code) } }
        rig.queue.cancel(operations[7])
        rig.queue.go()
        var codes: [NetworkError.Code?] = []
        for await code in calls.prefix(50) { codes.append(code) }
        #expect(codes.count { $0 == .cancelled } == 1 && codes.count { $0 == nil } == 49)
    }
}
