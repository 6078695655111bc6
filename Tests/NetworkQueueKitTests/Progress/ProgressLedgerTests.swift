import Testing

@testable import NetworkQueueKit

/// What the random runs do not ask: limits of numbers, speeds, the ends of runs, and bodies that are measured late.
struct ProgressLedgerTests {
    private var ledger = ProgressLedger.transferring()

    @Test
    mutating func `The late events of a batch that was reset do not reach the next one`() {
        var old = ledger.runGet(100, received: 50)
        ledger.reset()
        #expect(ledger.snapshot(now: .zero) == NetworkQueue.Progress())
        _ = ledger.openGet(10)
        let before = ledger.snapshot(now: .zero)
        ledger.receive(50, &old)
        ledger.send(50, &old)
        ledger.setSize(7, &old)
        ledger.end(.failed, &old)
        #expect(ledger.snapshot(now: .zero) == before)
        #expect(ledger.moved == 0)
    }

    @Test
    mutating func `A reset of the ledger keeps its mode and begins at 0 again`() {
        ledger.isAccurate = false
        ledger.finishGet(10)
        ledger.finishRun()
        #expect(ledger.fractionShown() == 1)
        ledger.reset()
        ledger.enter(.transferring, now: .seconds(9))
        #expect(!ledger.isAccurate)
        #expect(ledger.fractionShown() == 0)
    }

    @Test
    mutating func `A finished run stays finished, and has no time left`() {
        _ = ledger.runGet(1_000_000, received: 1000)
        ledger.finishRun()
        ledger.enter(.transferring, now: .seconds(1))
        let snapshot = ledger.snapshot(now: .seconds(1))
        #expect(snapshot.phase == .finished)
        #expect(snapshot.estimatedTimeRemaining == nil)
    }

    @Test
    mutating func `The time left covers both directions, and is nil while something cannot be estimated`() {
        var put = ledger.openUpload(6000)
        _ = ledger.runGet(6000, received: 1000)
        ledger.start(&put)
        ledger.send(1000, &put)
        let remaining = ledger.snapshot(now: .seconds(1)).estimatedTimeRemaining
        #expect(abs((remaining?.seconds ?? 0) - 5) < 1e-6)

        _ = ledger.openUpload(nil)
        #expect(ledger.snapshot(now: .seconds(1)).estimatedTimeRemaining != nil)
        var unmeasurable = ProgressLedger.transferring()
        _ = unmeasurable.runGet(received: 1000)
        let snapshot = unmeasurable.snapshot(now: .seconds(1))
        #expect(snapshot.bytesPerSecond != nil)
        #expect(snapshot.estimatedTimeRemaining == nil)
    }

    @Test
    mutating func `Time spent sizing is not time spent transferring`() {
        var ledger = ProgressLedger()
        var get = ledger.openGet(5000)
        ledger.enter(.sizing(completed: 0, total: 1), now: .zero)
        ledger.enter(.transferring, now: .seconds(10))
        ledger.start(&get)
        ledger.receive(2000, &get)
        let rate = ledger.snapshot(now: .seconds(11)).bytesPerSecond
        #expect(abs((rate ?? 0) - 2000) < 1e-6)
    }

    @Test
    mutating func `Many servers that all claim the largest believable length do not overflow the total`() {
        for _ in 0..<20_000 { _ = ledger.runGet(length: ClaimedSize.limit, received: 1) }
        _ = ledger.openGet()
        #expect(ledger.download.snapshot.transferred == 20_000)
        #expect(ledger.download.snapshot.expected == .max)
    }

    @Test
    mutating func `A byte count at the end of its type saturates`() {
        var get = ledger.runGet(received: .max)
        ledger.receive(.max, &get)
        ledger.receive(-1, &get)
        _ = ledger.runGet(received: .max)
        #expect(ledger.download.snapshot.transferred == .max)
        ledger.end(.failed, &get)
        #expect(ledger.download.snapshot.transferred == .max)
    }

    @Test
    mutating func `A body that the transport sends again goes back, and is speed only as it goes on`() {
        var put = ledger.openUpload(800)
        ledger.start(&put)
        ledger.send(500, &put)
        ledger.send(100, &put)
        #expect(ledger.upload.snapshot.transferred == 100)
        #expect(ledger.moved == 500)
        ledger.send(300, &put)
        #expect(ledger.moved == 700)
        ledger.send(-1, &put)
        #expect(ledger.upload.snapshot.transferred == 0)
    }

    @Test
    mutating func `A body that is measured late, or again, counts with its new length`() {
        var grown = ledger.openUpload(800)
        var late = ledger.open(uploadLength: nil, expectedDownload: nil, hasBody: true)
        ledger.start(&grown)
        ledger.start(&late)
        ledger.setUploadSize(900, &grown)
        ledger.setUploadSize(100, &late)
        #expect(ledger.upload.snapshot == .init(transferred: 0, expected: 1000))
        ledger.setUploadSize(100, &late)
        #expect(ledger.upload.snapshot == .init(transferred: 0, expected: 1000))
        var get = ledger.openGet()
        ledger.start(&get)
        ledger.setUploadSize(5, &get)
        #expect(ledger.upload.snapshot == .init(transferred: 0, expected: 1000))
    }

    @Test
    mutating func `The fraction waits if the first known size would take it back`() {
        var gets = (0..<2).map { _ in ledger.runGet(received: 1) }
        ledger.isAccurate = false
        ledger.end(.finished, &gets[0])
        #expect(ledger.fractionShown() == 0.5)
        ledger.isAccurate = true
        ledger.receiveHead(contentLength: 999, &gets[1])
        #expect(ledger.fractionShown() == 0.5)
        ledger.receive(900, &gets[1])
        #expect(ledger.fractionShown() == 0.901)
    }

    @Test
    mutating func `The fraction is 0 until the transfer begins`() {
        var sizing = ProgressLedger()
        var get = sizing.openGet(10)
        #expect(sizing.snapshot(now: .zero).fractionCompleted == 0)
        sizing.enter(.sizing(completed: 1, total: 2), now: .zero)
        sizing.start(&get)
        sizing.receive(10, &get)
        sizing.end(.finished, &get)
        let snapshot = sizing.snapshot(now: .zero)
        #expect(snapshot.phase == .sizing(completed: 1, total: 2))
        #expect(snapshot.fractionCompleted == 0)
    }

    @Test
    mutating func `Lengths at the end of the type keep the fraction finite and within bounds`() {
        for _ in 0..<3 { _ = ledger.runGet(length: .max, received: .max) }
        _ = ledger.runGet(length: ClaimedSize.limit)
        let fraction = ledger.fractionShown()
        #expect(fraction >= 0 && fraction < 1)
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
        #expect(ledger.download.snapshot == .init(transferred: 0, expected: 400))
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
}
