import Testing

@testable import NetworkQueueKit

/// What the random runs do not ask: limits of numbers, speeds, and bodies that are measured late.
struct ProgressLedgerTests {
    private var ledger = ProgressLedger.transferring()

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
    mutating func `Time spent paused is not time spent transferring`() {
        var get = ledger.runGet(100_000, received: 0)
        for second in 1...10 {
            ledger.receive(1000, &get)
            _ = ledger.snapshot(now: .seconds(second))
        }
        ledger.note(.paused, &get)
        // What was under way arrives after the pause.
        ledger.receive(10, &get)
        #expect(ledger.snapshot(now: .seconds(20)).bytesPerSecond == nil)
        ledger.receive(10, &get)
        #expect(ledger.snapshot(now: .seconds(40)).fractionCompleted == 0.1002)
        ledger.note(.resumed(isRetrying: false), &get)
        ledger.note(.continued, &get)
        _ = ledger.snapshot(now: .seconds(40))
        ledger.receive(2000, &get)
        let progress = ledger.snapshot(now: .seconds(41))
        #expect(abs((progress.bytesPerSecond ?? 0) - 2000) < 1e-6)
        #expect(abs((progress.estimatedTimeRemaining?.seconds ?? 0) - 43.99) < 1e-6)
    }

    @Test
    mutating func `The pause of one request leaves the speed of the others`() {
        var get = ledger.runGet(100_000, received: 1000)
        var other = ledger.runGet(100_000, received: 1000)
        _ = ledger.snapshot(now: .seconds(1))
        ledger.note(.paused, &get)
        ledger.receive(1000, &other)
        #expect(ledger.snapshot(now: .seconds(2)).bytesPerSecond != nil)
        ledger.note(.resumed(isRetrying: false), &get)
        #expect(ledger.snapshot(now: .seconds(2)).bytesPerSecond != nil)
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
