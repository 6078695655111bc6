import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Sizing asks", .timeLimit(.minutes(10)))
struct SizingTests {
    private func rig(
        isSynchronous: Bool = false, limit: Int = 4,
        _ script: @escaping @Sendable (HTTPExchange) -> ScriptedTransport.Answer = { _ in .ok(Data(count: 10)) }
    ) -> QueueRig {
        QueueRig(
            ScriptedTransport(isSynchronous: isSynchronous, script: script),
            configure: {
                $0.showsAccurateProgress = true
                $0.maxConcurrentRequestCount = limit
            })
    }

    private func methods(_ rig: QueueRig) -> [String] { rig.transport.exchanges.map { $0.exchange.method + $0.path } }

    @Test func `by HEAD for GETs of unknown size and for nothing else`() async {
        let rig = rig(limit: 1)
        var known = NetworkRequest(.test("known"))
        known.expectedDownloadSize = 10
        var upload = NetworkRequest(.test("upload"))
        upload.urlRequest.httpMethod = "POST"
        upload.body = .data(Data(count: 3))
        var head = NetworkRequest(.test("head"))
        head.urlRequest.httpMethod = "HEAD"
        var delete = NetworkRequest(.test("delete"))
        delete.urlRequest.httpMethod = "DELETE"
        var part = NetworkRequest(.test("part"))
        part.urlRequest.setValue("bytes=0-4", forHTTPHeaderField: "Range")
        rig.queue.add(contentsOf: [known, upload, head, delete, part, NetworkRequest(.test("unknown"))])
        await rig.queue.run()
        #expect(methods(rig).prefix(2) == ["HEAD/unknown", "GET/known"])
        #expect(methods(rig).count == 7)
    }

    @Test func `with the request's own headers, for the uncoded content, without Range and body`() async {
        let rig = rig()
        var request = NetworkRequest(.test("a"))
        request.urlRequest.setValue("secret", forHTTPHeaderField: "X-Key")
        request.urlRequest.setValue("gzip", forHTTPHeaderField: "Accept-Encoding")
        request.urlRequest.timeoutInterval = 7
        request.credential = URLCredential(user: "u", password: "p", persistence: .none)
        rig.queue.add(request)
        await rig.queue.run()
        let probe = rig.transport.exchanges[0].exchange
        let real = rig.transport.exchanges[1].exchange
        #expect(probe.method == "HEAD" && probe.url == real.url && probe.body == nil)
        #expect(probe.headers["X-Key"] == "secret" && probe.headers["Accept-Encoding"] == "identity")
        #expect(probe.headers["Authorization"] == real.headers["Authorization"] && !probe.headers.contains("Range"))
        #expect(probe.idleTimeout == .seconds(7))
        #expect(real.method == "GET" && real.headers["Accept-Encoding"] == "gzip")
    }

    @Test(arguments: [false, true], [1, 3, 0])
    func `for all sizes before the first request starts`(isSynchronous: Bool, limit: Int) async {
        let rig = rig(isSynchronous: isSynchronous, limit: limit) { exchange in
            exchange.method == "HEAD" && exchange.url.path() == "/2" ? .status(405) : .ok(Data(count: 10))
        }
        rig.add(8)
        rig.queue.go()
        await rig.recorder.waitForDrain()
        let isProbe = rig.transport.exchanges.map {
            $0.exchange.method == "HEAD" || $0.exchange.headers.contains("Range")
        }
        #expect(isProbe == Array(repeating: true, count: 9) + Array(repeating: false, count: 8))
    }

    @Test func `within the queue's limit`() async {
        let rig = rig(limit: 2) { _ in .hold }
        rig.add(6)
        rig.queue.go()
        for number in 0..<6 { await rig.transport.exchange(number).answer(.status(200)) }
        await rig.transport.waitForExchanges(8)
        #expect(rig.transport.peakLiveCount == 2)
        rig.queue.cancelAll()
    }

    @Test func `not for longer than sizingTimeout in all`() async {
        let rig = rig(limit: 2) { $0.method == "HEAD" ? .hold : .ok(Data(count: 10)) }
        rig.queue.sizingTimeout = .seconds(3)
        let operations = rig.add(5)
        rig.queue.go()
        await rig.transport.exchange(0).answer(.ok(Data(count: 10)))
        await rig.transport.waitForExchanges(3)
        rig.clock.advance(by: .milliseconds(2999))
        #expect(methods(rig) == ["HEAD/0", "HEAD/1", "HEAD/2"] && rig.transport.counts.cancelled == 0)
        rig.clock.advance(by: .milliseconds(1))
        await rig.recorder.waitForDrain()
        #expect(methods(rig).suffix(5) == ["GET/0", "GET/1", "GET/2", "GET/3", "GET/4"])
        #expect(methods(rig).count == 8)
        #expect(rig.recorder.summaries.map(\.counts) == [.init(finished: 5)])
        for operation in operations { #expect(rig.recorder.story(of: operation) == ["start", "head 200", "finish"]) }
    }

    @Test func `once for equal URLs`() async {
        let rig = rig(limit: 2) { exchange in
            exchange.method == "HEAD" ? .respond(status: 200, headers: ["Content-Length": "10"], body: Data()) : .hold
        }
        for _ in 0..<5 { rig.queue.add(.test("same")) }
        rig.queue.add(.test("other"))
        rig.queue.go()
        await rig.transport.waitForExchanges(4)
        #expect(methods(rig).sorted() == ["GET/same", "GET/same", "HEAD/other", "HEAD/same"])
        #expect(rig.queue.progress.download == .init(transferred: 0, expected: 60, isEstimated: false))
        rig.queue.cancelAll()
    }

    @Test func `not for requests that are added while the queue runs; their heads tell`() async {
        let rig = rig {
            $0.method == "HEAD" ? .respond(status: 200, headers: ["Content-Length": "10"], body: Data()) : .hold
        }
        rig.add(1)
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        rig.queue.add(.test("late"))
        let late = await rig.transport.exchange(2)
        #expect(methods(rig) == ["HEAD/0", "GET/0", "GET/late"])
        #expect(rig.queue.progress.download == .init(transferred: 0, expected: 20, isEstimated: true))
        late.receive(headers: ["Content-Length": "30"])
        #expect(rig.queue.progress.download == .init(transferred: 0, expected: 40, isEstimated: false))
        rig.queue.cancelAll()
    }

    @Test func `nothing when accurate progress is off`() async {
        let rig = rig()
        rig.queue.showsAccurateProgress = false
        rig.add(3)
        await rig.queue.run()
        #expect(methods(rig).allSatisfy { $0.hasPrefix("GET") })
    }

    @Test func `without a callback to the delegate or a handler`() async {
        let rig = rig { $0.method == "HEAD" ? .hold : .ok() }
        rig.add(2)
        rig.queue.go()
        await rig.transport.waitForExchanges(2)
        #expect(rig.queue.requestCount == 2 && rig.queue.requests.count == 2)
        rig.transport.exchanges[0].answer(.status(200))
        rig.transport.exchanges[1].answer(.fail(.timedOut))
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.events.count { $0.kind == .didStart } == 2)
        #expect(rig.recorder.events.count { $0.kind == .didReceiveHeaders } == 2)
        #expect(rig.recorder.summaries.map(\.counts) == [.init(finished: 2)])
    }

    @Test func `for a URL of which one request is cancelled as long as another wants it`() async {
        let rig = rig { _ in .hold }
        let (first, _) = (rig.queue.add(.test("a")), rig.queue.add(.test("a")))
        rig.queue.go()
        let probe = await rig.transport.exchange(0)
        rig.queue.cancel(first)
        #expect(!probe.isCancelled)
        probe.answer(.respond(status: 200, headers: ["Content-Length": "10"], body: Data()))
        await rig.transport.waitForExchanges(2)
        #expect(rig.queue.progress.download.expected == 10)
        rig.queue.cancelAll()
    }
}
