import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// Attempts that are slower than 1,000 bytes a second over 30 s.
@Suite(.timeLimit(.minutes(10)))
struct MinSpeedTests {
    private func rig(
        maxRetries: Int = 1, configure: (inout NetworkQueue.Configuration) -> Void = { _ in }
    ) -> QueueRig<NetworkQueue> {
        .started {
            $0.minBytesPerSecond = 1000
            $0.retryPolicy = RetryPolicy(maxRetries: maxRetries, backoff: .constant(.zero))
            configure(&$0)
        }
    }

    private func head(_ exchange: ScriptedExchange, _ length: Int = 1 << 30) {
        exchange.receive(headers: ["Content-Length": "\(length)", "ETag": "\"1\"", "Accept-Ranges": "bytes"])
    }

    @Test func `An attempt that is too slow between its first and its last byte times out and is retried`() async {
        let rig = rig()
        let operation = rig.queue.add(.test("a"))
        let exchange = await rig.transport.exchange(0)
        rig.advance(by: .seconds(100))
        head(exchange)
        rig.advance(by: .seconds(100))
        exchange.receive(Data(count: 1))
        rig.advance(by: .seconds(29))
        // Fast enough for the first interval, and too slow for the second.
        exchange.receive(Data(count: 29_999))
        rig.advance(by: .seconds(30))
        #expect(!exchange.isCancelled)
        exchange.receive(Data(count: 29_999))
        rig.advance(by: .milliseconds(999))
        #expect(!exchange.isCancelled)
        rig.advance(by: .milliseconds(1))
        #expect(exchange.isCancelled && rig.recorder.story(of: operation).contains("retry timedOut"))
        let second = await rig.transport.exchange(1)
        head(second)
        second.receive(Data(count: 1))
        rig.advance(by: .seconds(30))
        await rig.end(of: operation)
        #expect(operation.error?.code == .timedOut && operation.attempts == 2 && rig.scheduledCount == 0)
    }

    @Test func `The attempt after one that was too slow fails for its own reason`() async {
        let rig = rig()
        let operation = rig.queue.add(.test("a"))
        let exchange = await rig.transport.exchange(0)
        head(exchange)
        exchange.receive(Data(count: 1))
        rig.advance(by: .seconds(30))
        await rig.transport.exchange(1).end(.networkConnectionLost)
        await rig.end(of: operation)
        #expect(operation.error?.code == .connectionLost)
    }

    @Test(arguments: [(nil, true), (0, false), (-1, false), (5, false), (2000, true)] as [(Int?, Bool)])
    func `A request has a minimum of its own, and 0 is none`(minimum: Int?, isTooSlow: Bool) async {
        let rig = rig(maxRetries: 0)
        rig.queue.minSpeedInterval = .seconds(10)
        let operation = rig.queue.add(.test("a") { $0.minBytesPerSecond = minimum })
        let exchange = await rig.transport.exchange(0)
        head(exchange)
        exchange.receive(Data(count: 500))
        rig.advance(by: .seconds(10))
        #expect(operation.status == (isTooSlow ? .failed : .running))
        rig.queue.cancelAll()
        await rig.end(of: operation)
    }

    @Test func `A file that was too slow goes on where it was`() async {
        let rig = rig()
        let operation = rig.queue.add(rig.request())
        let exchange = await rig.transport.exchange(0)
        head(exchange, 40_000)
        exchange.receive(Data(count: 20_000))
        rig.advance(by: .seconds(30))
        let second = await rig.transport.exchange(1)
        #expect(second.exchange.headers["Range"] == "bytes=20000-")
        second.receive(status: 206, headers: ["Content-Range": "bytes 20000-39999/40000", "ETag": "\"1\""])
        second.receive(Data(count: 20_000))
        second.end()
        await rig.end(of: operation)
        #expect(operation.status == .finished && rig.scheduledCount == 0)
    }

    @Test func `A pause does not count`() async {
        let rig = rig(maxRetries: 0)
        let operation = rig.queue.add(.test("a"))
        let exchange = await rig.transport.exchange(0)
        head(exchange)
        exchange.receive(Data(count: 1))
        rig.advance(by: .seconds(29))
        operation.pause()
        rig.advance(by: .seconds(100))
        operation.resume()
        let second = await rig.transport.exchange(1)
        head(second)
        second.receive(Data(count: 1))
        rig.advance(by: .seconds(29))
        #expect(operation.status == .running)
        rig.advance(by: .seconds(1))
        await rig.end(of: operation)
        #expect(operation.error?.code == .timedOut)
    }

    @Test(arguments: [0, 20])
    func `Time that passes because of the bandwidth limit does not count, and that before it does`(
        before: Int
    ) async throws {
        let rig = rig(maxRetries: 0) { $0.maxBytesPerSecond = 100 }
        let operation = rig.queue.add(.test("a"))
        let exchange = await rig.transport.exchange(0)
        let pacer = try #require(exchange.exchange.pacer)
        head(exchange)
        exchange.receive(Data(count: 10_000))
        rig.advance(by: .seconds(before))
        let mark = pacer.charge(10_000)
        #expect(pacer.delay(until: mark) > .zero)
        rig.advance(by: .seconds(100))
        #expect(operation.status == .running && pacer.delay(until: mark) == .zero)
        rig.advance(by: .seconds(29 - before))
        #expect(operation.status == .running)
        rig.advance(by: .seconds(1))
        await rig.end(of: operation)
        #expect(operation.error?.code == .timedOut)
    }

    @Test func `A reader that holds the server back does not count`() async {
        let rig = rig(maxRetries: 0)
        let reading = Gathering<Void>()
        let sink = RecordingSink { event in
            if event == "write" { _ = await reading.wait(count: 1) }
        }
        let operation = rig.queue.add(NetworkRequest(.test("a"), destination: .sink(sink)))
        let exchange = await rig.transport.exchange(0)
        head(exchange)
        exchange.receive(Data(count: 1))
        _ = await sink.events.wait(count: 2)
        while case .proceed = exchange.receive(Data(count: 64 << 10)) {}
        for _ in 0..<5 { rig.advance(by: .seconds(30)) }
        #expect(!exchange.isCancelled)
        reading.add(())
        await rig.transport.wait { $0.resumed == 1 }
        // The first interval is fast enough because of what has arrived.
        rig.advance(by: .seconds(30))
        #expect(!exchange.isCancelled)
        rig.advance(by: .seconds(30))
        await rig.end(of: operation)
        #expect(operation.error?.code == .timedOut)
    }

    @Test func `Content that is sent counts from its first to its last byte`() async {
        let rig = rig()
        let request = NetworkRequest.put(.test("a"), body: .data(Data(count: 100_000)))
        let operation = rig.queue.add(request)
        let exchange = await rig.transport.exchange(0)
        // A 100-continue, for example.
        rig.advance(by: .seconds(100))
        exchange.send(10_000)
        rig.advance(by: .seconds(30))
        #expect(exchange.isCancelled)
        let second = await rig.transport.exchange(1)
        second.send(10_000)
        rig.advance(by: .seconds(29))
        second.send(100_000)
        rig.advance(by: .seconds(1000))
        second.answer(.ok())
        await rig.end(of: operation)
        #expect(operation.status == .finished && operation.attempts == 2)
    }

    @Test func `All exchanges with a file count together`() async {
        let rig = rig(maxRetries: 0) { $0.splitting = .init(maxParts: 2, minPartSize: 1000) }
        let operation = rig.queue.add(rig.request())
        let exchange = await rig.transport.exchange(0)
        head(exchange, 1_000_000)
        exchange.receive(Data(count: 100))
        let part = await rig.transport.exchange(1)
        let range = part.exchange.headers["Range"]?.dropFirst(6) ?? ""
        part.receive(status: 206, headers: ["Content-Range": "bytes \(range)/1000000", "ETag": "\"1\""])
        for isLast in [false, false, true] {
            rig.advance(by: .seconds(15))
            exchange.receive(Data(count: 100))
            if !isLast { part.receive(Data(count: 40_000)) }
            rig.advance(by: .seconds(15))
            #expect(operation.status == (isLast ? .failed : .running))
        }
        await rig.end(of: operation)
        #expect(operation.error?.code == .timedOut && part.isOver)
    }

    // MARK: Mirrors

    private func url(_ host: String) -> URL { URL(string: "http://\(host)/a") ?? .test("a") }

    /// Lets the exchange with a number receive so many bytes in 30 s, and returns its host.
    private func crawl(_ rig: QueueRig<NetworkQueue>, _ number: Int, _ count: Int) async -> String? {
        let exchange = await rig.transport.exchange(number)
        head(exchange)
        exchange.receive(Data(count: count))
        // The second interval, if the first one was fast enough.
        rig.advance(by: .seconds(30))
        if !exchange.isCancelled { rig.advance(by: .seconds(30)) }
        return exchange.exchange.url.host()
    }

    @Test func `Mirrors are tried once round, and then the fastest goes on without a minimum`() async {
        let rig = rig()
        var request = NetworkRequest(url("a"))
        request.mirrors = [url("b"), url("c")]
        let operation = rig.queue.add(request)
        for (number, (host, count)) in [("a", 10), ("b", 900), ("c", 20)].enumerated() {
            #expect(await crawl(rig, number, count) == host)
        }
        #expect(await crawl(rig, 3, 5) == "b")
        rig.advance(by: .seconds(1000))
        #expect(operation.status == .running)
        rig.transport.exchanges[3].end(.networkConnectionLost)
        await rig.transport.exchange(4).answer(.ok())
        await rig.end(of: operation)
        #expect(operation.status == .finished && rig.transport.exchanges[4].exchange.url.host() == "b")
    }

    @Test func `A URL that was too slow goes on without a minimum if no mirror has the content`() async {
        let rig = rig()
        var request = NetworkRequest(url("a"))
        request.mirrors = [url("b")]
        let operation = rig.queue.add(request)
        #expect(await crawl(rig, 0, 10) == "a")
        let second = await rig.transport.exchange(1)
        #expect(second.exchange.url.host() == "b" && operation.mirror == url("b"))
        second.answer(.status(404))
        #expect(await crawl(rig, 2, 5) == "a")
        rig.advance(by: .seconds(1000))
        #expect(operation.status == .running && operation.mirror == nil)
        rig.transport.exchanges[2].end(.networkConnectionLost)
        await rig.transport.exchange(3).answer(.status(404))
        await rig.end(of: operation)
        #expect(operation.error?.code == .httpStatus(404) && operation.error?.url == url("a"))
        #expect(operation.error?.formerFailures.map(\.code) == [.timedOut, .httpStatus(404)])
    }

    @Test(arguments: [false, true])
    func `What has arrived is not given up for a mirror, unless a checksum lets it go on there`(hasChecksum: Bool) async
    {
        let rig = rig()
        var request = rig.request()
        request.url = url("a")
        request.mirrors = [url("b")]
        if hasChecksum { request.expectedChecksum = .sha256(String(repeating: "0", count: 64)) }
        rig.queue.add(request)
        #expect(await crawl(rig, 0, 1 << 20) == "a")
        let next = await rig.transport.exchange(1)
        #expect(next.exchange.url.host() == (hasChecksum ? "b" : "a"))
        #expect(next.exchange.headers["Range"] == "bytes=1048576-")
        rig.queue.cancelAll()
        rig.settle()
    }
}
