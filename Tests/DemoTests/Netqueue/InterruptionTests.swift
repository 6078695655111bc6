import NetworkQueueKit
import Foundation
import Testing

@testable import netqueue

struct InterruptionTests {
    @Test func `An interruption cancels once, and remembers the first signal`() {
        let interruption = Interruption()
        let calls = Calls()
        interruption.onFirstSignal { calls.add() }
        #expect(interruption.signal == nil)
        let start = ContinuousClock.now
        #expect(interruption.receive(SIGTERM, now: start))
        #expect(!interruption.receive(SIGINT, now: start + .milliseconds(200)))
        #expect(interruption.signal == SIGTERM)
        #expect(calls.count == 1)
    }

    @Test func `Two signals within a fifth of a second are one`() {
        let interruption = Interruption()
        let calls = Calls()
        interruption.onFirstSignal { calls.add() }
        let start = ContinuousClock.now
        for time in [0, 1, 199] { #expect(interruption.receive(SIGTERM, now: start + .milliseconds(time))) }
        #expect(calls.count == 1)
    }

    @Test func `An early signal cancels as soon as there is something to cancel`() {
        let interruption = Interruption()
        #expect(interruption.receive(SIGINT))
        let calls = Calls()
        interruption.onFirstSignal { calls.add() }
        #expect(calls.count == 1)
    }

    @Test func `Leaving runs the registered cleanup once`() {
        let interruption = Interruption()
        interruption.leave()
        let calls = Calls()
        interruption.onLeaving { calls.add() }
        interruption.leave()
        #expect(calls.count == 1)
    }

    private final class Calls: Sendable {
        private let number = Guarded(0)

        var count: Int { number.withLock { $0 } }

        func add() {
            number.withLock { $0 += 1 }
        }
    }
}
