import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct RequestRateTests {
    private func url(_ host: String, _ path: String) -> URL { URL(string: "http://\(host)/\(path)") ?? .test(path) }

    /// A started queue of four slots whose exchanges are answered at once, or as `script` says.
    private func rig(
        _ rate: RequestRate?, perHost: RequestRate? = nil,
        configure: (inout NetworkQueue.Configuration) -> Void = { _ in },
        _ script: @escaping @Sendable (HTTPExchange) -> ScriptedTransport.Answer = { _ in .ok() }
    ) -> (rig: QueueRig<NetworkQueue>, starts: Gathering<String>) {
        let rig = QueueRig.started {
            $0.requestRate = rate
            $0.requestRatePerHost = perHost
            configure(&$0)
        }
        let starts = Gathering<String>()
        let clock = rig.clock
        rig.transport.setScript { exchange in
            starts.add("\(exchange.method) \(exchange.url.path()) \(Int(clock.now.seconds))")
            return script(exchange)
        }
        return (rig, starts)
    }

    @Test(arguments: QueueKind.allCases)
    func `At most so many exchanges start in any span, the first of them at once`(kind: QueueKind) {
        let rig = QueueRig(kind)
        let clock = rig.clock
        let starts = Gathering<Int>()
        rig.transport.setScript { _ in
            starts.add(Int(clock.now.seconds))
            return .ok()
        }
        rig.queue.requestRate = RequestRate(3, per: .seconds(10))
        rig.queue.add(.test("first"))
        rig.advance(by: .seconds(6))
        rig.queue.add(contentsOf: (0..<7).map { NetworkRequest(.test("\($0)")) })
        for _ in 0..<30 {
            rig.advance(by: .seconds(1))
            // One wake-up, and none if nothing waits.
            #expect(rig.scheduledCount <= 2)
        }
        #expect(starts.values == [0, 6, 6, 10, 16, 16, 20, 26])
        #expect(rig.queue.requestCount == 0 && rig.scheduledCount == 0)
    }

    @Test func `Size requests, retries and redirects count`() async {
        let (rig, starts) = rig(
            RequestRate(2, per: .seconds(10)),
            configure: { $0.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.zero)) },
            { [url] exchange in
                switch (exchange.method, exchange.url.path()) {
                case ("HEAD", _): .ok(Data(count: 3))
                case (_, "/moved"):
                    .respond(status: 302, headers: ["Location": url("cdn.test", "new").absoluteString], body: Data())
                case (_, "/busy"): .status(503)
                default: .ok(Data(count: 3))
                }
            })
        rig.queue.reset()
        rig.queue.showsAccurateProgress = true
        rig.queue.delegate = rig.recorder
        rig.queue.add(contentsOf: [.test("moved") { _ in }, .test("busy") { _ in }])
        rig.queue.go()
        for _ in 0..<4 { rig.advance(by: .seconds(10)) }
        #expect(
            starts.values == [
                "HEAD /moved 0", "HEAD /busy 0", "GET /moved 10", "GET /busy 10", "GET /new 20", "GET /busy 20",
            ])
    }

    @Test func `A limit for each host keeps no request to another host from starting`() async {
        let (rig, starts) = rig(nil, perHost: RequestRate(1, per: .seconds(10)))
        for path in ["a1", "a2", "a3"] { rig.queue.add(url("A.test:81", path)) }
        for path in ["b1", "b2"] { rig.queue.add(url("b.test", path)) }
        for _ in 0..<3 { rig.advance(by: .seconds(10)) }
        #expect(starts.values.sorted() == ["GET /a1 0", "GET /a2 10", "GET /a3 20", "GET /b1 0", "GET /b2 10"])
        #expect(rig.scheduledCount == 0)
    }

    @Test func `A redirect counts for the host to which it leads, and waits for its turn`() async {
        let (rig, starts) = rig(
            nil, perHost: RequestRate(1, per: .seconds(10)),
            { [url] exchange in
                exchange.url.host() == "cdn.test"
                    ? .ok() : .status(302, ["Location": url("cdn.test", "cdn").absoluteString])
            })
        for host in ["a.test", "b.test", "c.test"] { rig.queue.add(url(host, "x")) }
        let operation = rig.queue.add(url("d.test", "y"))
        rig.settle()
        #expect(starts.values.sorted() == ["GET /cdn 0", "GET /x 0", "GET /x 0", "GET /x 0", "GET /y 0"])
        for _ in 0..<3 { rig.advance(by: .seconds(10)) }
        #expect(starts.values.dropFirst(5) == ["GET /cdn 10", "GET /cdn 20", "GET /cdn 30"])
        #expect(operation.status == .finished && operation.attempts == 1)
    }

    @Test func `A hold and a rate keep a host closed until both are over`() async {
        let (rig, starts) = rig(
            nil, perHost: RequestRate(1, per: .seconds(10)),
            configure: { $0.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.zero)) },
            { exchange in
                ["/0": .status(503, ["Retry-After": "5"]), "/1": .status(503, ["Retry-After": "25"])][
                    exchange.url.path()] ?? .ok()
            })
        rig.add(3)
        for _ in 0..<60 { rig.advance(by: .seconds(1)) }
        // The retry of the first goes ahead of what has not started.
        #expect(starts.values.prefix(2) == ["GET /0 0", "GET /0 10"])
        #expect(starts.values.dropFirst(2).first == "GET /1 20" && starts.values.dropFirst(3).first == "GET /1 45")
    }

    @Test(arguments: [
        nil, RequestRate(0, per: .seconds(1)), RequestRate(-1, per: .seconds(1)), RequestRate(5, per: .zero),
    ])
    func `A rate of 0 or less is none`(rate: RequestRate?) {
        let (rig, starts) = rig(rate, perHost: rate)
        rig.add(9)
        rig.settle()
        #expect(starts.values.count == 9 && rig.scheduledCount == 0)
    }

    @Test func `A rate that changes applies at once to what waits`() {
        let (rig, starts) = rig(
            RequestRate(1, per: .seconds(100)), perHost: RequestRate(1, per: .seconds(1000)),
            { exchange in exchange.url.path() == "/0" ? .status(302, ["Location": "/moved"]) : .ok() })
        rig.add(5)
        rig.settle()
        #expect(starts.values == ["GET /0 0"])
        rig.queue.requestRate = RequestRate(3, per: .seconds(100))
        rig.settle()
        #expect(starts.values.count == 1)
        rig.queue.requestRatePerHost = nil
        rig.settle()
        #expect(starts.values == ["GET /0 0", "GET /moved 0", "GET /1 0"])
        rig.queue.requestRate = nil
        rig.settle()
        #expect(starts.values.count == 6 && rig.scheduledCount == 0 && rig.queue.requestCount == 0)
    }

    @Test(arguments: [false, true])
    func `An exchange that waits for its turn can be canceled and paused`(isPause: Bool) async {
        let (rig, starts) = rig(
            RequestRate(1, per: .seconds(10)), configure: { $0.maxConcurrentRequestCount = 1 },
            { exchange in exchange.url.path() == "/0" ? .status(302, ["Location": "/moved"]) : .ok() })
        let operations = rig.add(2)
        rig.settle()
        #expect(operations[0].status == .running)
        if isPause { operations[0].pause() } else { operations[0].cancel() }
        rig.settle()
        #expect(operations[0].status == (isPause ? .paused : .cancelled))
        rig.advance(by: .seconds(10))
        #expect(starts.values == ["GET /0 0", "GET /1 10"] && operations[1].status == .finished)
        operations[0].resume()
        for _ in 0..<2 { rig.advance(by: .seconds(10)) }
        #expect(starts.values.dropFirst(2) == (isPause ? ["GET /0 20", "GET /moved 30"] : []))
        #expect(rig.scheduledCount == 0)
    }

    @Test func `A file that is kept without an exchange costs nothing of the rate`() async throws {
        let (rig, starts) = rig(RequestRate(1, per: .seconds(10)))
        try Data("abc".utf8).write(to: rig.folder.file("file"))
        var kept = rig.request("kept", onConflict: .keepIfCurrent(otherwise: .fail))
        kept.expectedChecksum = .sha256("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        for operation in rig.queue.add(contentsOf: [kept, NetworkRequest(.test("other"))]) {
            await rig.end(of: operation)
        }
        #expect(starts.values == ["GET /other 0"])
    }

    @Test func `An adapter may wait for a request of the same queue`() async {
        let (rig, starts) = rig(RequestRate(1, per: .seconds(10)), configure: { $0.maxConcurrentRequestCount = 2 })
        let queue = rig.queue
        var request = NetworkRequest(.test("0"))
        request.adapters = [
            .adapter { request, _ in
                _ = try await queue.data(for: .test("token"))
                return request
            }
        ]
        let operation = rig.queue.add(request)
        await rig.transport.waitForExchanges(1)
        #expect(starts.values == ["GET /token 0"])
        while operation.status != .finished {
            rig.advance(by: .seconds(10))
            await Task.yield()
        }
        #expect(starts.values.dropFirst().first?.hasPrefix("GET /0 ") == true)
    }

    @Test func `What waits for a rate does not wait for a slot, so that a file is split`() async {
        let (rig, _) = rig(
            nil, perHost: RequestRate(2, per: .seconds(1000)),
            configure: { $0.splitting = .init(maxParts: 2, minPartSize: 10) },
            { exchange in exchange.url.host() == "busy.test" ? .ok() : .hold })
        for path in ["1", "2", "3"] { rig.queue.add(url("busy.test", path)) }
        rig.settle()
        #expect(rig.transport.counts.started == 2)
        rig.queue.add(rig.request())
        let exchange = await rig.transport.exchange(2)
        exchange.receive(headers: ["Content-Length": "100", "ETag": "\"1\"", "Accept-Ranges": "bytes"])
        exchange.receive(Data(count: 10))
        let part = await rig.transport.exchange(3)
        #expect(part.exchange.headers["Range"]?.hasPrefix("bytes=") == true)
        rig.queue.cancelAll()
        rig.settle()
    }

    @Test func `The parts of a file count`() async {
        let (rig, _) = rig(
            RequestRate(1, per: .seconds(10)),
            configure: { $0.splitting = .init(maxParts: 2, minPartSize: 10) }, { _ in .hold })
        rig.queue.add(rig.request())
        let exchange = await rig.transport.exchange(0)
        exchange.receive(headers: ["Content-Length": "100", "ETag": "\"1\"", "Accept-Ranges": "bytes"])
        exchange.receive(Data(count: 10))
        rig.advance(by: .milliseconds(9_999))
        #expect(rig.transport.counts.started == 1)
        rig.advance(by: .milliseconds(1))
        #expect(rig.transport.counts.started == 2)
        rig.queue.cancelAll()
        rig.settle()
    }

    @Test func `The time that remains is at least that of the exchanges that are left`() {
        var ledger = ProgressLedger(isAccurate: false, requestRate: RequestRate(2, per: .seconds(10)))
        var accounts = (0..<7).map { _ in ledger.open(uploadLength: nil, expectedDownload: 1000, hasBody: false) }
        ledger.enter(.transferring, now: .zero)
        #expect(ledger.snapshot(now: .zero).estimatedTimeRemaining == .seconds(35))
        ledger.start(&accounts[0])
        ledger.receiveHead(contentLength: 1000, &accounts[0])
        #expect(ledger.snapshot(now: .seconds(1)).estimatedTimeRemaining == .seconds(30))
        // 10 bytes a second for 6,990 bytes take longer.
        ledger.receive(10, &accounts[0])
        #expect((ledger.snapshot(now: .seconds(2)).estimatedTimeRemaining ?? .zero) > .seconds(300))
        ledger.requestRate = nil
        ledger.reset()
        #expect(ledger.snapshot(now: .seconds(3)).estimatedTimeRemaining == nil)
    }
}
