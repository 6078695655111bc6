import Dispatch
import Foundation
import NetworkQueueTesting
import TestSupport

@testable import NetworkQueueKit

/// A batch in some phase, and what the events of the table are about.
///
/// It takes the place of a queue, as far as a batch sees one: it gives slots and watches the alarms, but performs no
/// effect.
struct BatchFixture {
    var batch: Batch
    var now = Duration.seconds(100)
    /// An operation of the batch that has not ended.
    private var member: RequestOperation?
    /// An operation of the batch that has a slot.
    private var running: RequestOperation?
    /// An operation of the batch that has ended, and whose callback has not returned.
    private var ended: RequestOperation?
    /// A probe that has been sent.
    private var probe: RequestOperation?
    /// A drain that has not been told.
    private var drain: Drain?
    private var deferral: Int?
    /// An operation of a batch that a reset has thrown away, and a probe of a sizing that has ended.
    private let former = RequestOperation(NetworkRequest(.test("former")))
    private let formerProbe = RequestOperation(SizeAnswer.head(for: NetworkRequest(.test("former"))))

    /// Creates a batch that has not been started, with one stream of events and one waiter for the drain.
    init() {
        let handle = QueueHandle(callbacks: CallbackQueue(target: DispatchQueue(label: "BatchFixture")))
        let core = QueueCore<RequestOperation>(cap: RequestCap(measure: { (1 << 20, 0) })) { $0.request.host }
        let environment = RunEnvironment(transport: ScriptedTransport(), timekeeper: ManualClock())
        batch = Batch(
            settings: NetworkQueue.BatchSettings(), core: core, upkeep: QueueUpkeep(handle, environment))
        batch.core.scheduler.maximumRunning = 4
        _ = batch.receivers.addStream { _ in EventBuffer(isAcrossRuns: false) {} }
        batch.drains.waiters.append(Batch.DrainWaiter { _ in })
        var ledger = ProgressLedger(isAccurate: true)
        former.batchEntry = BatchEntry(
            generation: -1, epoch: 0, account: ledger.open(uploadLength: 0, expectedDownload: nil, hasBody: false))
    }

    /// Creates a batch in a state of the table.
    init(_ state: String) {
        self.init()
        switch state {
        case "idle": addTwo()
        case "sizing": beginSizing()
        case "transferring":
            addTwo()
            change { batch, now, effects in batch.go(nil, now: now, into: &effects) }
            running = member
        case "transferring, late sizes":
            beginSizing()
            apply("barrier")
            running = member
        case "transferring, late sizes answered":
            beginSizing()
            apply("barrier")
            apply("size answered")
            (running, probe) = (member, nil)
        case "transferring, last callback":
            ended = add("a")
            change { batch, now, effects in batch.go(nil, now: now, into: &effects) }
            end(ended, with: RequestResult())
        case "transferring, deferred":
            deferral = batch.deferDrain()
            change { batch, now, effects in batch.go(nil, now: now, into: &effects) }
        case "transferring, former drain":
            drainAtOnce()
            member = add("a")
            running = member
        case "drained, not told": drainAtOnce()
        case "drained":
            drainAtOnce()
            apply("drain told")
            drain = nil
        default: preconditionFailure(state)
        }
    }

    private mutating func addTwo() {
        _ = add("a")
        member = add("b")
    }

    /// Begins to ask for two sizes, of which one is answered.
    private mutating func beginSizing() {
        addTwo()
        let plan = SizingPlan(batch.operationsToSize)
        change { batch, now, effects in batch.go(plan, now: now, into: &effects) }
        while let (index, operations) = batch.nextGroup() {
            change { batch, now, effects in
                batch.ask(index, operations, isWanted: true, now: now, into: &effects)
            }
        }
        let probes = batch.core.scheduler.runningElements.filter { $0.request.isSizeProbe }
        for probe in probes {
            change { batch, now, effects in batch.note(.started, of: probe, now: now, into: &effects) }
        }
        end(probes[0], with: Self.answer(200, to: probes[0]))
        probe = probes[1]
    }

    private mutating func drainAtOnce() {
        let effects = change { batch, now, effects in batch.go(nil, now: now, into: &effects) }
        for case .own(.call(.drain(let drain), generation: _)) in effects { self.drain = drain }
    }

    @discardableResult
    private mutating func add(_ path: String) -> RequestOperation {
        let operation = RequestOperation(NetworkRequest(.test(path)))
        let isParked = operation.attach(to: batch.upkeep.handle)
        change { batch, now, effects in
            batch.enroll(operation, BatchExpectation(operation.request), now: now, into: &effects)
            batch.addToCore(operation, isParked: isParked, hash: nil, now: now, into: &effects)
        }
        return operation
    }

    private mutating func end(_ operation: RequestOperation?, with result: RequestResult) {
        let operation = operation ?? former
        change { batch, now, effects in batch.end(operation, with: result, now: now, into: &effects) }
    }

    private static func answer(_ status: Int, to probe: RequestOperation) -> RequestResult {
        RequestResult(
            head: ResponseHead(statusCode: status, headers: ["Content-Length": "7"], url: probe.request.url))
    }

    // MARK: Events

    static let events = [
        "add", "go", "go with a plan", "started", "will retry", "ended, finished", "ended, failed", "ended, cancelled",
        "size answered", "size refused", "size lost", "sizing done", "barrier", "update", "callback returned",
        "drain told", "cancelAll", "reset", "deferDrain", "release",
    ]

    /// Has an event happen; one about something that the state has not comes from a batch or a sizing of before. Alarms
    /// that are not set do not ring.
    ///
    /// The latest effects are in `effects`.
    mutating func apply(_ event: String) {
        effects = []
        let (running, probe) = (running ?? former, probe ?? formerProbe)
        let generation = batch.generation
        switch event {
        case "add": add("new")
        case "go": change { batch, now, effects in batch.go(nil, now: now, into: &effects) }
        case "go with a plan":
            let operation = RequestOperation(NetworkRequest(.test("a")))
            change { batch, now, effects in batch.go(SizingPlan([operation]), now: now, into: &effects) }
        case "started": note(.started, of: running)
        case "will retry":
            note(.willRetry(after: .seconds(1), because: NetworkError(.timedOut), keepsLength: true), of: running)
        case "ended, finished": end(running, with: RequestResult())
        case "ended, failed": end(running, with: RequestResult(error: NetworkError(.timedOut)))
        case "ended, cancelled": end(member ?? former, with: RequestResult(error: .cancelled))
        case "size answered": end(probe, with: Self.answer(200, to: probe))
        case "size refused": end(probe, with: Self.answer(403, to: probe))
        case "size lost": end(probe, with: RequestResult(error: NetworkError(.connectionLost)))
        case "sizing done": change { batch, now, effects in batch.endSizingIfDone(now: now, into: &effects) }
        case "barrier": ring(.sizing)
        case "update": ring(.progress)
        case "callback returned":
            let (ended, generation) = ended.map { ($0, generation) } ?? (former, generation - 1)
            change { batch, now, effects in batch.noteReturn(of: ended, generation, now: now, into: &effects) }
        case "drain told":
            let generation = drain == nil ? generation - 1 : generation
            let drain = drain ?? Self.formerDrain
            change { batch, _, effects in batch.noteReport(of: drain, generation, into: &effects) }
        case "cancelAll":
            change { batch, now, effects in
                batch.endSizing(now: now, into: &effects)
                batch.cancelAll(now: now, into: &effects) { $0.batchEntry?.generation == generation }
            }
        case "reset": change { batch, now, effects in batch.reset(now: now, into: &effects) }
        case "deferDrain": _ = batch.deferDrain()
        case "release":
            let generation = deferral ?? generation - 1
            change { batch, now, effects in batch.release(generation, now: now, into: &effects) }
        default: preconditionFailure(event)
        }
    }

    private mutating func note(_ event: RequestEvent, of operation: RequestOperation) {
        change { batch, now, effects in batch.note(event, of: operation, now: now, into: &effects) }
    }

    private mutating func ring(_ purpose: QueueUpkeep.Purpose) {
        guard let deadline = batch.deadline(of: purpose) else { return }
        now = deadline
        change { batch, now, effects in batch.alarmDidRing(purpose, now: now, into: &effects) }
    }

    private static let formerDrain: Drain = {
        var fixture = BatchFixture()
        fixture.drainAtOnce()
        guard let drain = fixture.drain else { preconditionFailure("An empty batch drains at once.") }
        return drain
    }()

    // MARK: Effects

    private(set) var effects: [Batch.Effect] = []

    /// Does what a queue does about a change.
    @discardableResult
    private mutating func change(
        _ body: (inout Batch, Duration, inout [Batch.Effect]) -> Void
    ) -> [Batch.Effect] {
        let purposes = QueueUpkeep.Purpose.allCases
        let deadlines = purposes.map { batch.deadline(of: $0) }
        effects = []
        body(&batch, now, &effects)
        for effect in batch.core.effects(now: now) {
            switch effect {
            case .start(let operation): effects.append(.start(operation))
            case .cancel(let operation): effects.append(.cancel(operation))
            }
        }
        for (purpose, former) in zip(purposes, deadlines) where batch.deadline(of: purpose) != former {
            effects.append(.setAlarm(purpose, batch.deadline(of: purpose)))
        }
        return effects
    }
}
