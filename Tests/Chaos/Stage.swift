import Dispatch
import Foundation
import NetworkQueueKit

/// A queue under test, with those who listen to it.
final class Stage: Sendable {
    let queue: any RequestQueueing
    let batch: NetworkQueue?
    let told = Stories()
    let streamed = Stories()
    let witness: DelegateWitness
    /// Resets under way, and those that have returned and have set the delegate again.
    private let resets = Guarded((open: 0, done: 0))
    private let faults: Faults

    init(
        batchOver transport: any Transport, states: URL, _ dice: inout Dice, _ monitor: AttemptWitness, _ faults: Faults
    ) {
        var configuration = NetworkQueue.Configuration()
        configuration.showsAccurateProgress = dice.isOne(in: 2)
        configuration.cancelsAllOnFailure = dice.isOne(in: 8)
        configuration.sizingTimeout = .milliseconds(500)
        configuration.progressInterval = .milliseconds(1)
        configuration.requestDefaults = Self.defaults(&dice, states, monitor)
        configuration.asksBeforeStart = dice.isOne(in: 4)
        let plans = PlanWitness(seed: dice.next(), faults)
        if dice.isOne(in: 4) { configuration.planHandler = { await plans.decide($0) } }
        let batch = NetworkQueue(
            configuration: configuration, transport: transport, delegateQueue: DispatchQueue(label: "chaos.batch"))
        (self.batch, queue, self.faults) = (batch, batch, faults)
        witness = DelegateWitness(told, plans, faults)
        batch.delegate = witness
    }

    init(
        queueOver transport: any Transport, states: URL, _ dice: inout Dice, _ monitor: AttemptWitness, _ faults: Faults
    ) {
        var configuration = RequestQueue.Configuration()
        configuration.queueSettings.duplicatePolicy = .allow
        configuration.requestDefaults = Self.defaults(&dice, states, monitor)
        batch = nil
        queue = RequestQueue(configuration: configuration, transport: transport)
        self.faults = faults
        witness = DelegateWitness(told, PlanWitness(seed: dice.next(), faults), faults)
    }

    private static func defaults(_ dice: inout Dice, _ states: URL, _ monitor: AttemptWitness) -> RequestDefaults {
        var defaults = RequestDefaults()
        defaults.retryPolicy = RetryPolicy(maxRetries: 4, backoff: .constant(.milliseconds(dice.number(0..<8))))
        defaults.splitting = .init(maxParts: 3, minPartSize: 100_000)
        defaults.monitors = [monitor]
        defaults.minSpeedInterval = .milliseconds(50)
        defaults.uploadPieceLength = 20_000
        defaults.stateFolder = states
        return defaults
    }

    var isSuspended: Bool {
        get { batch?.isSuspended ?? (queue as? RequestQueue)?.isSuspended ?? false }
        set {
            batch?.isSuspended = newValue
            (queue as? RequestQueue)?.isSuspended = newValue
        }
    }

    func add(_ operation: RequestOperation) {
        let before = resets.withLock { $0 }
        let begin = (told.tick(), streamed.tick())
        queue.add(operation)
        guard batch != nil else { return }
        // A reset meanwhile may have forgotten the operation, or the delegate before its start.
        resets.withLock {
            guard $0.open == 0, before.open == 0, $0.done == before.done else { return }
            told[operation.id].noteAdded(begin.0..<told.tick(), stage: operation.request.stage)
            streamed[operation.id].noteAdded(begin.1..<streamed.tick(), stage: operation.request.stage)
        }
    }

    func reset() {
        guard let batch else { return }
        let ended = resets.withLock {
            $0.open += 1
            return (told.added, streamed.added)
        }
        witness.willReset()
        batch.reset()
        for story in ended.0 { story.noteReset() }
        for story in ended.1 { story.noteReset() }
        batch.delegate = witness
        witness.didReset()
        resets.withLock {
            $0.open -= 1
            $0.done += 1
        }
    }

    /// Whether nothing is left to do.
    var isQuiet: Bool { queue.requests.isEmpty && batch?.isRunning != true }

    /// Lifts everything that keeps operations from running.
    func release() {
        queue.maxBytesPerSecond = nil
        queue.requestRate = nil
        queue.requestRatePerHost = nil
        queue.maxConcurrentRequestCount = 8
        queue.maxConcurrentRequestCountPerHost = nil
        isSuspended = false
        queue.resumeAll()
        batch?.go()
    }

    /// Checks what is left when the queue has drained.
    func check() async {
        for fault in told.faults(isDirect: true) { faults.report("delegate: \(fault)") }
        // A stream delivers later.
        _ = await eventually(within: 20) { streamed.faults(isDirect: false).isEmpty }
        for fault in streamed.faults(isDirect: false) { faults.report("stream: \(fault)") }
        guard let batch else { return }
        let progress = batch.progress
        let counts = progress.counts
        faults.expect(
            counts.waiting == 0 && counts.running == 0 && counts.paused == 0 && counts.retrying == 0
                && counts.total == counts.finished + counts.failed + counts.cancelled && batch.requestCount == 0,
            "a drained queue counts \(counts)")
        // Operations that end before `go()`, or after a reset, do not make a run.
        faults.expect(
            progress.fractionCompleted == (progress.phase == .idle ? 0 : 1) || counts.total == 0,
            "a drained queue shows \(progress)")
        if let expected = progress.download.expected {
            faults.expect(progress.download.transferred <= expected, "more bytes than expected: \(progress.download)")
        }
    }
}
