import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SizingTests {
    private func rig(
        isSynchronous: Bool = false, limit: Int = 4,
        _ script: @escaping @Sendable (HTTPExchange) -> ScriptedTransport.Answer = { _ in .ok(Data(count: 10)) }
    ) -> QueueRig<NetworkQueue> {
        QueueRig(
            ScriptedTransport(isSynchronous: isSynchronous, script: script),
            configure: {
                $0.showsAccurateProgress = true
                $0.maxConcurrentRequestCount = limit
            })
    }

    private func methods(_ rig: QueueRig<NetworkQueue>) -> [String] {
        rig.transport.exchanges.map { $0.exchange.method + $0.path }
    }

    @Test func `Sizing asks by HEAD for GETs of unknown size and for nothing else`() async {
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

    @Test
    func `Sizing asks with the headers of request and queue, for the uncoded content, without Range and body`() async {
        let rig = rig()
        var request = NetworkRequest(.test("a"))
        request.urlRequest.setValue("secret", forHTTPHeaderField: "X-Key")
        request.urlRequest.setValue("gzip", forHTTPHeaderField: "Accept-Encoding")
        request.urlRequest.timeoutInterval = 7
        rig.queue.headers = ["X-All": "queue", "X-Key": "queue"]
        request.credential = URLCredential(user: "u", password: "p", persistence: .none)
        rig.queue.add(request)
        await rig.queue.run()
        let probe = rig.transport.exchanges[0].exchange
        let real = rig.transport.exchanges[1].exchange
        #expect(probe.method == "HEAD" && probe.url == real.url && probe.body == nil)
        #expect(probe.headers["Accept-Encoding"] == "identity")
        #expect(probe.headers["Authorization"] == real.headers["Authorization"] && !probe.headers.contains("Range"))
        #expect(probe.idleTimeout == .seconds(7))
        for sent in [probe, real] { #expect(sent.headers["X-Key"] == "secret" && sent.headers["X-All"] == "queue") }
        #expect(real.method == "GET" && real.headers["Accept-Encoding"] == "gzip")
    }

    @Test(arguments: [false, true], [1, 3, 0])
    func `Sizing asks for all sizes before the first request starts`(isSynchronous: Bool, limit: Int) async {
        let rig = rig(isSynchronous: isSynchronous, limit: limit) { exchange in
            exchange.method == "HEAD" && exchange.url.path() == "/2" ? .status(403) : .ok(Data(count: 10))
        }
        rig.add(8)
        await rig.queue.run()
        let isProbe = rig.transport.exchanges.map {
            $0.exchange.method == "HEAD" || $0.exchange.headers.contains("Range")
        }
        #expect(isProbe == Array(repeating: true, count: 9) + Array(repeating: false, count: 8))
    }

    @Test(arguments: [(limit: 2, width: 3, peak: 3), (4, 3, 4), (2, 0, 12), (0, 3, 12)])
    func `Sizing has a width of its own, which is not below the limit for transfers`(
        limit: Int, width: Int, peak: Int
    ) async {
        let rig = rig(limit: limit) { _ in .hold }
        rig.queue.maxConcurrentSizingCount = width
        rig.add(12)
        rig.queue.go()
        for number in 0..<12 { await rig.transport.exchange(number).answer(.status(200)) }
        await rig.transport.waitForExchanges(limit == 0 ? 24 : 12 + limit)
        #expect(methods(rig).prefix(12).allSatisfy { $0.hasPrefix("HEAD") } && rig.transport.peakLiveCount == peak)
        rig.queue.cancelAll()
    }

    @Test func `Sizing asks once for equal URLs`() async {
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

    @Test func `Sizing asks again for an equal URL if the fields, the credential or the adapters differ`() async {
        let rig = rig(limit: 9) { _ in .hold }
        let token = TokenAdapter(name: "a")
        let variants: [(inout NetworkRequest) -> Void] = [
            { _ in }, { $0.headers["Cookie"] = "user=1" }, { $0.headers["Cookie"] = "user=2" },
            { $0.credential = URLCredential(user: "u", password: "p", persistence: .none) },
            { $0.credential = URLCredential(user: "u", password: "q", persistence: .none) },
            { $0.adapters = [token] }, { $0.adapters = [TokenAdapter(name: "a")] }, { $0.adapters = [token, token] },
            { $0.adapters = [EqualAdapter(name: "a")] }, { $0.adapters = [EqualAdapter(name: "b")] },
            { $0.adapters = [.adapter { request, _ in request }] },
            { $0.adapters = [.adapter { request, _ in request }] },
        ]
        for variant in variants {
            var request = NetworkRequest(.test("same"))
            variant(&request)
            rig.queue.add(request)
            // All but the closures can be seen to be the same.
            rig.queue.add(request)
        }
        rig.queue.maxConcurrentSizingCount = 0
        rig.queue.go()
        await rig.transport.waitForExchanges(14)
        let probes = rig.transport.exchanges.count
        rig.queue.cancelAll()
        #expect(probes == 14)
    }

    @Test func `Sizing does not ask for requests added to a running queue, whose heads tell their sizes`() async {
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

    @Test func `The probe of a canceled request goes on as long as another request wants its size`() async {
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

    @Test func `Sizing asks for the first 256 sizes in their order, and for the others from the end`() async {
        let rig = rig(isSynchronous: true, limit: 1)
        rig.queue.maxConcurrentSizingCount = 1
        rig.add(259)
        await rig.queue.run()
        let sized = rig.transport.exchanges.filter { $0.exchange.method == "HEAD" }.map(\.path)
        #expect(sized == (Array(0..<256) + [258, 257, 256]).map { "/\($0)" })
    }
}

private final class TokenAdapter: RequestAdapter {
    let name: String

    init(name: String) {
        self.name = name
    }

    func adapt(_ request: URLRequest, in context: AttemptContext) async throws -> URLRequest { request }
}

private struct EqualAdapter: RequestAdapter, Hashable {
    let name: String

    func adapt(_ request: URLRequest, in context: AttemptContext) async throws -> URLRequest { request }
}
