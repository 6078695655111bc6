import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct RetryWaitTests {
    private let clock = ManualClock()
    private let ends = Gathering<Duration>()
    private let context = RetryWaitContext(host: "host.test", error: NetworkError(.timedOut))

    private func makeWait(_ delay: Duration) -> RetryWait {
        RetryWait(delay: delay, timekeeper: clock) { [clock, ends] in ends.add(clock.now) }
    }

    private func start(_ delay: Duration, _ triggers: [any EarlyRetryTrigger] = []) -> RetryWait {
        let wait = makeWait(delay)
        wait.start(watching: triggers, context)
        return wait
    }

    @Test func `A wait ends at its time, once`() {
        _ = start(.seconds(5))
        clock.advance(by: .milliseconds(4999))
        #expect(ends.values.isEmpty)
        clock.advance(by: .seconds(100))
        #expect(ends.values == [.seconds(5)])
    }

    /// A clock that goes on by a second after each look at it.
    private struct BusyTimekeeper: Timekeeper {
        let clock: ManualClock

        var now: Duration {
            defer { clock.advance(by: .seconds(1)) }
            return clock.now
        }

        func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledCall {
            clock.schedule(after: delay, body)
        }

        func schedule(at time: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledCall {
            clock.schedule(at: time, body)
        }
    }

    @Test func `A wait ends at its time, however long it takes to begin`() {
        let wait = RetryWait(delay: .seconds(5), timekeeper: BusyTimekeeper(clock: clock)) { [clock, ends] in
            ends.add(clock.now)
        }
        clock.advance(by: .seconds(2))
        wait.start(watching: [], context)
        clock.advance(by: .seconds(100))
        #expect(ends.values == [.seconds(5)])
    }

    @Test func `A wait ends within 3 s when a trigger fires, at moments all over that time`() {
        var latest = Duration.zero
        var earliest = Duration.seconds(3)
        for _ in 0..<300 {
            let trigger = ScriptedTrigger()
            let fired = clock.now
            _ = start(.seconds(1000), [trigger])
            trigger.fire()
            let count = ends.values.count
            clock.advance(by: .seconds(3))
            guard ends.values.count == count + 1, let end = ends.values.last else {
                Issue.record("not ended within 3 s")
                return
            }
            latest = max(latest, end - fired)
            earliest = min(earliest, end - fired)
        }
        #expect(earliest >= .zero && earliest < .seconds(0.3))
        #expect(latest > .seconds(2.7) && latest < .seconds(3))
    }

    @Test func `A trigger never makes a wait longer than planned`() {
        for _ in 0..<100 {
            let trigger = ScriptedTrigger()
            let end = clock.now + .seconds(1)
            _ = start(.seconds(1), [trigger])
            clock.advance(by: .milliseconds(500))
            trigger.fire()
            clock.advance(by: .seconds(5))
            #expect((ends.values.last ?? .zero) <= end)
        }
        #expect(ends.values.count == 100)
    }

    @Test func `A trigger makes a wait neither shorter than its minimum nor longer than planned`() {
        for _ in 0..<100 {
            let trigger = ScriptedTrigger()
            let start = clock.now
            let wait = RetryWait(delay: .seconds(4), minimum: .milliseconds(500), timekeeper: clock) { [clock, ends] in
                ends.add(clock.now - start)
            }
            wait.start(watching: [trigger], context)
            trigger.fire()
            clock.advance(by: .seconds(5))
        }
        #expect(ends.values.count == 100)
        #expect(ends.values.allSatisfy { $0 >= .milliseconds(500) && $0 <= .seconds(4) })
        // Without a minimum, a sixth of them would end before.
        #expect(ends.values.contains(.milliseconds(500)))
    }

    @Test func `A wait takes a trigger that fires twice for one`() {
        let trigger = ScriptedTrigger()
        _ = start(.seconds(1000), [trigger])
        let fires = trigger.pendingFires
        for _ in 0..<100 { for fire in fires { fire() } }
        // One timer for the plan and one for the trigger.
        #expect(clock.scheduledCount == 2)
        clock.advance(by: .seconds(3))
        #expect(ends.values.count == 1 && clock.scheduledCount == 0)
        for fire in fires { fire() }
        clock.advance(by: .seconds(3))
        #expect(ends.values.count == 1 && clock.scheduledCount == 0)
    }

    @Test func `A wait bears a trigger that fires while the wait begins to watch`() {
        let trigger = ScriptedTrigger(firesInside: true)
        _ = start(.seconds(1000), [trigger])
        clock.advance(by: .seconds(3))
        #expect(ends.values.count == 1 && trigger.watchCount == 0 && trigger.cancellations.values.count == 1)
    }

    @Test func `A wait without delay is over before its triggers are there, and releases them nevertheless`() async {
        let trigger = ScriptedTrigger()
        _ = start(.zero, [trigger])
        _ = await ends.wait(count: 1)
        _ = await trigger.cancellations.wait(count: 1)
        #expect(trigger.watchCount == 0)
    }

    @Test(arguments: ["time", "fire", "cancel"])
    func `A wait releases all its triggers together, however it ends`(end: String) {
        let triggers = (0..<3).map { _ in ScriptedTrigger() }
        let wait = start(.seconds(10), triggers)
        #expect(triggers.allSatisfy { $0.watchCount == 1 })
        switch end {
        case "time": clock.advance(by: .seconds(10))
        case "fire":
            triggers[1].fire()
            clock.advance(by: .seconds(3))
        default: wait.cancel()
        }
        #expect(triggers.allSatisfy { $0.watchCount == 0 && $0.cancellations.values.count == 1 })
        #expect(clock.scheduledCount == 0)
        #expect(ends.values.count == (end == "cancel" ? 0 : 1))
        wait.cancel()
        #expect(triggers.allSatisfy { $0.cancellations.values.count == 1 })
    }

    @Test func `A wait that was cancelled before it began never ends`() {
        let trigger = ScriptedTrigger()
        let wait = makeWait(.seconds(1))
        wait.cancel()
        wait.start(watching: [trigger], context)
        #expect(trigger.watchCount == 0 && clock.scheduledCount == 0)
        clock.advance(by: .seconds(10))
        #expect(ends.values.isEmpty)
    }

    @Test(arguments: ["time", "fire", "cancel"])
    func `A wait leaves nothing of itself behind`(end: String) async {
        let trigger = ScriptedTrigger()
        weak var reference: RetryWait?
        var keptFires: [@Sendable () -> Void] = []
        do {
            let wait = start(.seconds(10), [trigger])
            reference = wait
            keptFires = trigger.pendingFires
            switch end {
            case "time": clock.advance(by: .seconds(10))
            case "fire":
                trigger.fire()
                clock.advance(by: .seconds(3))
            default: wait.cancel()
            }
        }
        // Not even a trigger that keeps the closure it was given keeps the wait alive.
        #expect(await eventually { reference == nil })
        for fire in keptFires { fire() }
        #expect(clock.scheduledCount == 0)
    }
}
