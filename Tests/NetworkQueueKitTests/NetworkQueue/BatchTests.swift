import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

/// Every state, every event: the effects that are left, and the phase after it with the number of things that keep the
/// batch from draining.
struct BatchTests {
    /// What becomes of an event in a state that the table does not list for it: one about something that the state has
    /// not is about a batch or a sizing of before.
    private static let others = [
        "ended, finished": "settle → same", "ended, failed": "settle → same", "ended, cancelled": "settle → same",
        "size answered": "settle probe → same", "size refused": "settle probe → same",
        "size lost": "settle probe → same", "drain told": "resume 1 → same",
    ]

    private static let table: [String: [String: String]] = [
        "idle": [
            "add": " → idle 3",
            "go": "2 × start, progress alarm on → transferring 2",
            "go with a plan": "askForSizes, sizing alarm on, progress alarm on → sizing 2",
            "ended, cancelled": "settle, told, call end → same",
            "cancelAll": "settle, told, call end, settle, told, call end → same",
            "reset": "resume 1, 2 × release, discardCallbacks, 2 × settle, finish 1 → idle 0",
            "deferDrain": " → idle 3",
        ],
        "sizing": [
            "add": " → sizing 3",
            "ended, cancelled": "settle, told, cancel probe, call end → same",
            "size answered":
                "settle probe, askForSizes, 2 × start, sizing alarm off → transferring, late sizes 2",
            "size refused": "settle probe, askForSizes, start probe → same",
            "size lost":
                "settle probe, noteLoss, askForSizes, 2 × start, sizing alarm off → transferring, late sizes 2",
            "barrier": "2 × start, sizing alarm off → transferring, late sizes 2",
            "update": "call update, progress alarm off → same",
            "cancelAll":
                "cancel probe, settle, told, call end, settle, told, call end, sizing alarm off → transferring 2",
            "reset":
                "resume 1, cancel probe, 2 × release, discardCallbacks, 2 × settle, cancel probe, finish 1, sizing alarm off, "
                + "progress alarm off → idle 0",
            "deferDrain": " → sizing 3",
        ],
        "transferring": [
            "add": "start → transferring 3",
            "started": "call event → same",
            "will retry": "call event → same",
            "ended, finished": "settle, told, call end → same",
            "ended, failed": "settle, told, call end, cancel → same",
            "ended, cancelled": "settle, told, call end → same",
            "update": "call update, progress alarm off → same",
            "cancelAll": "2 × cancel → same",
            "reset": "resume 1, 2 × release, discardCallbacks, 2 × cancel, finish 1, progress alarm off → idle 0",
            "deferDrain": " → transferring 3",
        ],
        "transferring, late sizes": [
            "add": "start → transferring, late sizes 3",
            "started": "cancel probe, call event → same",
            "will retry": "call event → same",
            "ended, finished": "settle, told, cancel probe, call end → same",
            "ended, failed": "settle, told, cancel probe, call end, cancel → same",
            "ended, cancelled": "settle, told, cancel probe, call end → same",
            "size answered": "settle probe, askForSizes → same",
            "size refused": "settle probe, askForSizes, start probe → same",
            "size lost": "settle probe, noteLoss, askForSizes → same",
            "update": "call update, progress alarm off → same",
            "cancelAll": "refuse 1, cancel probe, 2 × cancel → transferring 2",
            "reset":
                "resume 1, refuse 1, cancel probe, 2 × release, discardCallbacks, cancel probe, 2 × cancel, finish 1, "
                + "progress alarm off → idle 0",
            "deferDrain": " → transferring, late sizes 3",
        ],
        "transferring, late sizes answered": [
            "add": "start → transferring, late sizes 3",
            "started": "call event → same",
            "will retry": "call event → same",
            "ended, finished": "settle, told, call end → same",
            "ended, failed": "settle, told, call end, cancel → same",
            "ended, cancelled": "settle, told, call end → same",
            "size answered": "settle probe, askForSizes → same",
            "size refused": "settle probe, askForSizes → same",
            "size lost": "settle probe, noteLoss, askForSizes → same",
            "sizing done": "refuse 1 → transferring 2",
            "update": "call update, progress alarm off → same",
            "cancelAll": "refuse 1, 2 × cancel → transferring 2",
            "reset":
                "resume 1, refuse 1, 2 × release, discardCallbacks, 2 × cancel, finish 1, progress alarm off → idle 0",
            "deferDrain": " → transferring, late sizes 3",
        ],
        "transferring, last callback": [
            "add": "start → transferring 2",
            "update": "call update, progress alarm off → same",
            "callback returned": "call drain, progress alarm off → drained 0",
            "reset": "resume 1, 2 × release, discardCallbacks, finish 1, progress alarm off → idle 0",
            "deferDrain": " → transferring 2",
        ],
        "transferring, deferred": [
            "add": "start → transferring 2",
            "update": "call update, progress alarm off → same",
            "reset": "resume 1, 2 × release, discardCallbacks, finish 1, progress alarm off → idle 0",
            "deferDrain": " → transferring 2",
            "release": "call drain, progress alarm off → drained 0",
        ],
        "transferring, former drain": [
            "add": "start → transferring 2",
            "started": "call event → same",
            "will retry": "call event → same",
            "ended, finished": "settle, call end → same",
            "ended, failed": "settle, call end → same",
            "ended, cancelled": "settle, call end → same",
            "update": "call update, progress alarm off → same",
            "cancelAll": "cancel → same",
            "reset": "resume 0, 2 × release, discardCallbacks, cancel, finish 0, progress alarm off → idle 0",
            "deferDrain": " → transferring 2",
        ],
        "drained, not told": [
            "add": "start, progress alarm on → transferring 1",
            "go": "call drain → same",
            "go with a plan": "call drain → same",
            "reset": "resume 0, 2 × release, discardCallbacks, finish 0 → idle 0",
            "deferDrain": " → drained 1",
        ],
        "drained": [
            "add": "start, progress alarm on → transferring 1",
            "go": "call drain → same",
            "go with a plan": "call drain → same",
            "reset": "resume 0, 2 × release, discardCallbacks, finish 0 → idle 0",
            "deferDrain": " → drained 1",
        ],
    ]

    @Test func `A table of the batch has every phase in it, and no event that is not applied`() {
        let phases = Set(Self.table.keys.map { BatchFixture($0).stateText.prefix { $0 != " " && $0 != "," } })
        #expect(phases == ["idle", "sizing", "transferring", "drained"])
        for cells in Self.table.values { #expect(cells.keys.allSatisfy(BatchFixture.events.contains)) }
    }

    @Test(arguments: table.keys.sorted(), BatchFixture.events)
    func `A batch leaves the effects of the table and goes on to its phase`(state: String, event: String) {
        var fixture = BatchFixture(state)
        let former = fixture.stateText
        fixture.apply(event)
        let next = fixture.stateText == former ? "same" : fixture.stateText
        #expect("\(fixture.effectsText) → \(next)" == Self.table[state]?[event] ?? Self.others[event] ?? " → same")
    }

    @Test func `A failure cancels nothing if it is not to cancel the others`() {
        var fixture = BatchFixture("transferring")
        fixture.batch.settings.cancelsAllOnFailure = false
        fixture.apply("ended, failed")
        #expect(fixture.effectsText == "settle, told, call end")
    }

    @Test func `An operation that fails before its cancellation reaches it is cancelled, with the URLError of that`()
        throws
    {
        var fixture = BatchFixture("transferring")
        let operations = fixture.batch.core.scheduler.runningElements
        fixture.apply("ended, failed")
        let other = try #require(operations.first { $0.error == nil })
        var effects: [Batch.Effect] = []
        fixture.batch.end(
            other, with: RequestResult(error: NetworkError(.timedOut)), now: fixture.now, into: &effects)
        #expect(other.error?.code == .cancelled && (other.error?.underlying as? URLError)?.code == .cancelled)
    }

    @Test func `A drain waits for the last callback and for every deferral, in whatever order they end`() {
        var fixture = BatchFixture("transferring, last callback")
        var generations = (0..<2).map { _ in fixture.batch.deferDrain() }
        fixture.apply("callback returned")
        #expect(fixture.stateText == "transferring 2")
        var effects: [Batch.Effect] = []
        while let generation = generations.popLast() {
            #expect(fixture.stateText != "drained 0" && effects.isEmpty)
            fixture.batch.release(generation, now: fixture.now, into: &effects)
        }
        #expect(fixture.stateText == "drained 0" && effects.count == 1)
    }

    @Test func `A summary taken while its drain is told comes after that, though the next run has begun`() throws {
        var fixture = BatchFixture()
        fixture.batch.drains.waiters = []
        var effects: [Batch.Effect] = []
        fixture.batch.go(nil, now: fixture.now, into: &effects)
        let drains = effects.compactMap { effect -> Drain? in
            if case .own(.call(.drain(let drain), generation: _)) = effect { drain } else { nil }
        }
        let drain = try #require(drains.first)
        effects = []
        let taken = Guarded([Batch.Summary]())
        let waiter = Batch.DrainWaiter { summary in taken.withLock { $0.append(summary) } }
        #expect(fixture.batch.takeSummary(waiter, into: &effects) && effects.isEmpty)
        #expect(!fixture.batch.takeSummary(waiter, into: &effects))
        // The next run, which does not end.
        _ = fixture.batch.deferDrain()
        fixture.batch.go(nil, now: fixture.now + .seconds(5), into: &effects)
        #expect(fixture.batch.isRunning && taken.withLock { $0.isEmpty })
        effects = []
        fixture.batch.noteReport(of: drain, fixture.batch.generation, into: &effects)
        for case .own(.resume(let waiters, let summary)) in effects {
            for waiter in waiters { waiter.resume(summary) }
        }
        #expect(taken.withLock { $0 }.map(\.duration) == [drain.summary.duration])
    }

    @Test func `A failure that cancels what was read lets the task that reads look at once`() {
        var fixture = BatchFixture("transferring")
        let key = fixture.batch.beginReading()
        for _ in 0..<300 { fixture.apply("add") }
        #expect(!fixture.batch.mayEndWaits)
        fixture.apply("ended, failed")
        // None of the cancellations has been told.
        #expect(fixture.batch.mayEndWaits && fixture.batch.mustWakeReader(key))
        var effects: [Batch.Effect] = []
        fixture.batch.endReading(key, now: fixture.now, into: &effects)
        #expect(!fixture.batch.mayEndWaits)
    }

    @Test func `A reset leaves nothing that the former batch could still end`() {
        var fixture = BatchFixture("transferring, last callback")
        fixture.apply("reset")
        fixture.apply("go")
        #expect(fixture.stateText == "drained 0" && fixture.effectsText == "call drain")
    }
}
