import Testing

@testable import NetworkQueueKit

struct ProgressLedgerFractionTests {
    private var ledger = ProgressLedger.transferring()

    @Test
    mutating func `The fraction is that of the bytes of both directions`() {
        _ = ledger.runGet(300, received: 100)
        var put = ledger.openUpload(700)
        ledger.start(&put)
        ledger.send(400, &put)
        #expect(ledger.fractionShown() == 0.5)
    }

    @Test
    mutating func `A large file outweighs small ones`() {
        for _ in 0..<9 { ledger.finishGet(1) }
        _ = ledger.openGet(991)
        #expect(ledger.fractionShown() == 9.0 / 1000)
    }

    @Test
    mutating func `The fraction counts requests while no size is known, and never adds bytes to requests`() {
        var gets = (0..<4).map { _ in ledger.runGet(received: 1_000_000) }
        #expect(ledger.fractionShown() == 0)
        ledger.end(.failed, &gets[0])
        ledger.isAccurate = false
        ledger.end(.finished, &gets[1])
        #expect(ledger.fractionShown() == 1.0 / 3)
    }

    @Test
    mutating func `The fraction counts requests without accuracy, even if sizes are known`() {
        ledger.isAccurate = false
        ledger.finishGet(1)
        _ = ledger.runGet(999_999, received: 900_000)
        #expect(ledger.fractionShown() == 0.5)
    }

    @Test
    mutating func `Known uploads alone do not carry the fraction to the end while downloads cannot be estimated`() {
        var put = ledger.openUpload(10)
        for _ in 0..<9 { _ = ledger.openGet() }
        ledger.start(&put)
        ledger.send(10, &put)
        #expect(ledger.fractionShown() == 0)
        ledger.end(.finished, &put)
        #expect(ledger.fractionShown() == 0.1)
    }

    @Test
    mutating func `Empty bodies give neither NaN nor 1, since requests are counted instead`() {
        ledger.finishGet(0)
        _ = ledger.openGet(0)
        #expect(ledger.fractionShown() == 0.5)
    }

    @Test
    mutating func `The fraction of a run without requests is 0 until it finishes`() {
        #expect(ledger.fractionShown() == 0)
        ledger.finishRun()
        #expect(ledger.fractionShown() == 1)
    }

    @Test
    mutating func `The fraction is below 1 with all bytes there, and exactly 1 once the run is over`() {
        ledger.finishGet(1000)
        let before = ledger.snapshot(now: .zero)
        #expect(before.fractionCompleted == 0.999)
        #expect(before.phase == .transferring)
        ledger.finishRun()
        let after = ledger.snapshot(now: .zero)
        #expect(after.fractionCompleted == 1)
        #expect(after.phase == .finished)
    }

    @Test(arguments: [true, false])
    mutating func `A run whose requests all fail or are canceled ends at exactly 1`(isAccurate: Bool) {
        ledger.isAccurate = isAccurate
        for outcome in [RequestResult.Outcome.failed, .cancelled] {
            var get = ledger.runGet(100, received: 50)
            ledger.end(outcome, &get)
        }
        #expect(ledger.fractionShown() == 0)
        ledger.finishRun()
        #expect(ledger.fractionShown() == 1)
    }

    @Test
    mutating func `A failed request does not leave the fraction short`() {
        _ = ledger.runGet(100, received: 50)
        var get = ledger.runGet(900)
        #expect(ledger.fractionShown() == 0.05)
        ledger.end(.failed, &get)
        #expect(ledger.fractionShown() == 0.5)
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
    mutating func `The fraction waits through a retry`() {
        var get = ledger.runGet(1000, received: 800)
        #expect(ledger.fractionShown() == 0.8)
        ledger.failAttempt(keepingSize: true, &get)
        #expect(ledger.fractionShown() == 0.8)
        ledger.start(&get)
        ledger.receive(900, &get)
        #expect(ledger.fractionShown() == 0.9)
    }

    @Test
    mutating func `The fraction waits through late requests and the late responses to uploads`() {
        var put = ledger.openUpload(1000)
        ledger.start(&put)
        ledger.send(600, &put)
        #expect(ledger.fractionShown() == 0.6)
        ledger.receiveHead(contentLength: 5000, &put)
        #expect(ledger.fractionShown() == 0.6)
        _ = ledger.openGet(10_000)
        #expect(ledger.fractionShown() == 0.6)
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
}
