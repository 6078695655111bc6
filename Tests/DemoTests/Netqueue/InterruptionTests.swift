import NetworkQueueKit
import Foundation
import TestSupport
import Testing

@testable import netqueue

struct InterruptionTests {
    @Test func `An interruption cancels once, and remembers the first signal`() {
        let interruption = Interruption()
        let calls = Gathering<Void>()
        interruption.onFirstSignal { calls.add(()) }
        #expect(interruption.signal == nil)
        let start = ContinuousClock.now
        #expect(interruption.receive(SIGTERM, now: start))
        #expect(!interruption.receive(SIGINT, now: start + .milliseconds(200)))
        #expect(interruption.signal == SIGTERM)
        #expect(calls.values.count == 1)
    }

    @Test func `Two signals within a fifth of a second are one`() {
        let interruption = Interruption()
        let calls = Gathering<Void>()
        interruption.onFirstSignal { calls.add(()) }
        let start = ContinuousClock.now
        for time in [0, 1, 199] { #expect(interruption.receive(SIGTERM, now: start + .milliseconds(time))) }
        #expect(calls.values.count == 1)
    }

    @Test func `An early signal cancels as soon as there is something to cancel`() {
        let interruption = Interruption()
        #expect(interruption.receive(SIGINT))
        let calls = Gathering<Void>()
        interruption.onFirstSignal { calls.add(()) }
        #expect(calls.values.count == 1)
    }

    @Test func `The hint offers the keys that have an effect`() {
        let interruption = Interruption()
        #expect(TerminalKeys.hints(interruption) == ["q quits"])
        interruption.onPause { _ in }
        #expect(TerminalKeys.hints(interruption) == ["q quits", "p pauses"])
        interruption.setPaused(true)
        #expect(TerminalKeys.hints(interruption) == ["paused; r resumes", "q quits"])
        interruption.setPaused(false)
        interruption.onSpeedChange { _ in }
        #expect(TerminalKeys.hints(interruption) == ["q quits", "p pauses", "+/- speed"])
    }

    @Test func `Leaving runs the registered cleanup once`() {
        let interruption = Interruption()
        interruption.leave()
        let calls = Gathering<Void>()
        interruption.onLeaving { calls.add(()) }
        interruption.leave()
        #expect(calls.values.count == 1)
    }
}
