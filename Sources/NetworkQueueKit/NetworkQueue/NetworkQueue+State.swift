import Foundation

extension NetworkQueue {
    /// Everything about a queue that changes.
    struct State {
        var settings: BatchSettings
        var userInfo: [String: any Sendable] = [:]
        var delegate = DelegateReference()
        /// Raised by `reset()`: what older operations still do is not reported any more.
        var generation = 0
        /// Raised by a failure that cancels the rest, and by the progress's cancellation: what is added afterwards is a new piece of work.
        var epoch = 0
        /// The epoch that the latest such failure has begun.
        var failureEpoch = 0
        var isStarted = false
        var sizing: Sizing?
        /// Operations whose last callback has not returned.
        var outstandingCount = 0
        /// Of these, those that cannot go on before a callback has returned that is running: their last one, or one that
        /// decides about them.
        var inCallbackCount = 0
        /// Whether the next time that nothing is outstanding has to be reported.
        var owesReport = false
        var ledger: ProgressLedger
        var startTime: Duration?
        /// In the order in which they came.
        var failures: [Summary.Failure] = []
        /// What `retryFailed()` needs, of this run or the one that has drained.
        var unfinished: [Unfinished] = []
        var progressTimer: (any ScheduledCall)?
        /// The number of the latest timer: one that fires when it has been given up is not taken for its successor.
        var latestTick = 0
        var isProgressPosted = false
        var latestUpdate: Progress?
        var foundationProgress: FoundationProgress?
        /// The epoch that its cancellation has begun.
        var cancellationEpoch: Int?
        var streams: [Int: EventBuffer] = [:]
        var latestStream = 0
        var drainWaiters: [@Sendable (Summary) -> Void] = []
        /// How many drains are just being reported.
        var reportCount = 0

        init(settings: BatchSettings) {
            self.settings = settings
            ledger = ProgressLedger(isAccurate: settings.showsAccurateProgress)
        }

        /// Whether there is something to wait for.
        var isRunning: Bool { isStarted && (outstandingCount > 0 || owesReport) }

        /// Whether no request waits, so that what comes next may depend on a callback, which is then made at once.
        var hasNothingWaiting: Bool { ledger.counts.waiting == 0 }

        /// Whether `operation` still concerns the queue.
        func isCurrent(_ operation: RequestOperation) -> Bool {
            operation.batchMembership?.generation == generation
        }

        /// Those who listen at this moment.
        var audience: Audience {
            Audience(
                delegate: delegate.value, isVetted: delegate.isVetted,
                streams: streams.isEmpty ? [] : Array(streams.values))
        }

        /// Whether nothing has happened since `operation` was added that cancels it.
        func isUpToDate(_ operation: RequestOperation) -> Bool {
            isCurrent(operation) && operation.batchMembership?.epoch == epoch
        }

        /// Changes the books about `operation`, which must be current.
        mutating func withAccount(
            of operation: RequestOperation, _ body: (inout ProgressLedger, inout ProgressLedger.Account) -> Void
        ) {
            guard var entry = operation.batchEntry else { return }
            body(&ledger, &entry.account)
            operation.batchEntry = entry
        }

        /// Notes that an operation has failed or was cancelled, and keeps what it takes to run it again, unless the user has ended
        /// it.
        mutating func noteFailure(of operation: RequestOperation, _ result: RequestResult) {
            let hasFailed = result.outcome == .failed
            if hasFailed, var error = result.error {
                // A hundred thousand error pages would add up.
                if failures.count >= Summary.maximumPageCount {
                    error.response?.data = nil
                    operation.batchEntry?.losesPage = true
                }
                failures.append(Summary.Failure(operation: operation, error: error))
            }
            let isSwept = (operation.batchMembership?.epoch ?? failureEpoch) < failureEpoch
            // What is awaited has told the task that waits for it.
            guard hasFailed || isSwept, !operation.queueEntry.isExemptFromDuplicates else { return }
            unfinished.append(Unfinished(blueprint: operation.blueprint, isCancelled: !hasFailed))
        }

        /// Whether `foundationProgress` has been cancelled. Foundation may call its handler much later.
        var isCancelledByProgress: Bool { foundationProgress?.isCancelled == true }

        /// What the cancellation of `foundationProgress` cancels: the same however often it is asked for.
        mutating func cancellationByProgress() -> Sweep {
            if cancellationEpoch == nil {
                epoch += 1
                cancellationEpoch = epoch
            }
            return Sweep(generation: generation, endEpoch: cancellationEpoch, sizing: sizing)
        }

        /// Starts new accounts when those of the former run are closed.
        mutating func beginRunIfNeeded(now: Duration) {
            if ledger.phase == .finished {
                ledger.reset()
                failures = []
                unfinished = []
                startTime = nil
                latestUpdate = nil
            }
            ledger.isAccurate = settings.showsAccurateProgress
            guard isStarted, startTime == nil else { return }
            startTime = now
            // It cannot be uncancelled: this run has another.
            if foundationProgress?.isCancelled == true { foundationProgress = nil }
            if sizing == nil { ledger.enter(.transferring, now: now) }
        }

        /// What has come of the run until now, of which `progress` is a snapshot.
        func summary(of progress: Progress, now: Duration) -> Summary {
            Summary(
                counts: progress.counts, failures: failures, duration: startTime.map { now - $0 } ?? .zero,
                bytesReceived: progress.download.transferred - ledger.resumed, bytesSent: progress.upload.transferred)
        }

        /// Closes the run when nothing is left of it; returns what to report, and to whom.
        mutating func finishRunIfDrained(_ timekeeper: any Timekeeper) -> Drain? {
            guard isStarted, owesReport, outstandingCount == 0 else { return nil }
            let now = timekeeper.now
            owesReport = false
            reportCount += 1
            progressTimer?.cancel()
            progressTimer = nil
            ledger.finishRun()
            let progress = ledger.snapshot(now: now)
            let summary = summary(of: progress, now: now)
            failures = []
            latestUpdate = progress
            defer {
                sizing = nil
                streams = streams.filter(\.value.isAcrossRuns)
                drainWaiters = []
            }
            return Drain(
                progress: progress, summary: summary, sizing: sizing, streams: Array(streams.values),
                waiters: drainWaiters)
        }
    }

    /// Operations that are to be cancelled together.
    struct Sweep {
        let generation: Int
        /// Operations of this epoch and later ones stay; `nil` means that none do.
        var endEpoch: Int?
        let sizing: Sizing?
    }

    /// The end of a run. Streams and waiters that are added while it is being reported belong to the next run.
    struct Drain {
        let progress: Progress
        let summary: Summary
        /// What asks for sizes that are not wanted any more.
        let sizing: Sizing?
        let streams: [EventBuffer]
        let waiters: [@Sendable (Summary) -> Void]
    }

    /// A weak reference to the delegate.
    ///
    /// Unchecked: the delegate is only ever called on `delegateQueue`, which its owner has chosen for it.
    struct DelegateReference: @unchecked Sendable {
        weak var value: (any NetworkQueueDelegate)?
        /// Which delegate it is, or was.
        let id: ObjectIdentifier?
        /// Whether it has been found that the delegate may be called on `delegateQueue`.
        var isVetted = false

        init(_ delegate: (any NetworkQueueDelegate)? = nil) {
            value = delegate
            id = delegate.map { ObjectIdentifier($0) }
        }
    }
}
