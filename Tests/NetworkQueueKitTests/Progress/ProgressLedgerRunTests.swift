import Testing

@testable import NetworkQueueKit

struct ProgressLedgerRunTests {
    private var ledger = ProgressLedger.transferring()

    @Test
    mutating func `Each request is counted in exactly one state`() {
        _ = ledger.openGet()
        _ = ledger.runGet()
        var retrying = ledger.runGet()
        ledger.failAttempt(keepingSize: true, &retrying)
        for outcome in [RequestResult.Outcome.finished, .finished, .failed, .cancelled] {
            var get = ledger.runGet()
            ledger.end(outcome, &get)
        }
        let counts = ledger.snapshot(now: .zero).counts
        #expect(counts == .init(waiting: 1, running: 1, retrying: 1, finished: 2, failed: 1, cancelled: 1))
        #expect(counts.total == 7)
    }

    @Test
    mutating func `A request may end without having started, and after a failed attempt`() {
        var waiting = ledger.openGet(10)
        var retrying = ledger.runGet(10)
        ledger.failAttempt(keepingSize: true, &retrying)
        ledger.end(.cancelled, &waiting)
        ledger.end(.failed, &retrying)
        #expect(ledger.counts == .init(failed: 1, cancelled: 1))
    }

    @Test
    mutating func `A request ends once, and its later events are ignored`() {
        var get = ledger.runGet(100, received: 100)
        ledger.end(.finished, &get)
        let before = ledger.snapshot(now: .zero)
        ledger.end(.failed, &get)
        ledger.receive(5, &get)
        ledger.setSize(5, &get)
        ledger.failAttempt(keepingSize: true, &get)
        ledger.start(&get)
        #expect(ledger.snapshot(now: .zero) == before)
        #expect(ledger.moved == 100)
    }

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
}
