import Testing

@testable import NetworkQueueKit

struct ProgressLedgerRetryTests {
    private var ledger = ProgressLedger.transferring()

    private var download: NetworkQueue.Progress.Bytes { ledger.download.snapshot }

    @Test
    mutating func `A failed attempt's bytes leave the ledger, and its size stays`() {
        var get = ledger.runGet(length: 1000, received: 600)
        ledger.failAttempt(keepingSize: true, &get)
        #expect(download == .init(transferred: 0, expected: 1000))
        #expect(ledger.counts == .init(retrying: 1))
    }

    @Test
    mutating func `A retried download counts once, not twice`() {
        var get = ledger.runGet(length: 1000, received: 600)
        ledger.failAttempt(keepingSize: true, &get)
        ledger.start(&get)
        ledger.receiveHead(contentLength: 1000, &get)
        ledger.receive(1000, &get)
        ledger.end(.finished, &get)
        #expect(download == .init(transferred: 1000, expected: 1000))
    }

    @Test
    mutating func `The length of an error page is forgotten with its attempt`() {
        var get = ledger.runGet(1000, length: 20, received: 20)
        ledger.failAttempt(keepingSize: false, &get)
        #expect(download == .init(transferred: 0, expected: 1000))

        var unsized = ledger.runGet(length: 20, received: 20)
        ledger.failAttempt(keepingSize: false, &unsized)
        #expect(download == .init(transferred: 0, expected: 2000, isEstimated: true))
    }

    @Test
    mutating func `A 401 page that is answered leaves nothing behind`() {
        var get = ledger.runGet(length: 120, received: 120)
        ledger.receiveHead(contentLength: 5000, &get)
        ledger.receive(5000, &get)
        #expect(download == .init(transferred: 5000, expected: 5000))

        ledger.receiveHead(contentLength: nil, &get)
        #expect(download == .init(transferred: 0, expected: nil))
    }

    @Test
    mutating func `A resumed download counts the bytes that were there, and expects them beside the rest`() {
        var get = ledger.openGet()
        ledger.start(&get)
        ledger.receiveHead(contentLength: 400, resumedFrom: 600, &get)
        #expect(download == .init(transferred: 600, expected: 1000))
        ledger.receive(400, &get)
        ledger.end(.finished, &get)
        #expect(download == .init(transferred: 1000, expected: 1000))
    }

    @Test
    mutating func `Resumed bytes are no speed`() {
        var get = ledger.openGet(1_000_000)
        ledger.start(&get)
        _ = ledger.snapshot(now: .zero)
        ledger.receiveHead(contentLength: 400_000, resumedFrom: 600_000, &get)
        #expect(ledger.snapshot(now: .seconds(1)).bytesPerSecond == nil)
        ledger.receive(1000, &get)
        let rate = ledger.snapshot(now: .seconds(2)).bytesPerSecond
        #expect(abs((rate ?? 0) - 1000) < 1e-6)
        #expect(ledger.moved == 1000)
    }

    @Test(arguments: [-5, Int64.max])
    mutating func `An absurd resume offset counts as none`(offset: Int64) {
        var get = ledger.openGet()
        ledger.start(&get)
        ledger.receiveHead(contentLength: 400, resumedFrom: offset, &get)
        #expect(download == .init(transferred: 0, expected: 400))
    }

    @Test
    mutating func `Bytes taken back never make the speed negative, and count as speed`() {
        var get = ledger.runGet(length: 10_000, received: 5000)
        _ = ledger.snapshot(now: .seconds(1))
        ledger.failAttempt(keepingSize: true, &get)
        let rate = ledger.snapshot(now: .seconds(2)).bytesPerSecond
        #expect((rate ?? 0) > 2000 && (rate ?? 0) < 2500)
        #expect(ledger.moved == 5000)
    }

    @Test
    mutating func `Events out of order are ignored`() {
        var get = ledger.openGet(100)
        let waiting = get
        ledger.receiveHead(contentLength: 7, &get)
        ledger.receive(7, &get)
        ledger.send(7, &get)
        ledger.failAttempt(keepingSize: true, &get)
        #expect(get == waiting)

        ledger.start(&get)
        ledger.start(&get)
        #expect(ledger.counts == .init(running: 1))
        #expect(ledger.moved == 0)
    }
}
