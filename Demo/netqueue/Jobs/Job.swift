import Dashboard
import Dispatch
import Foundation
import NetworkQueueKit

/// Sends requests through one queue and shows the progress.
struct Job {
    /// The verb in the first line of a log.
    var verb = "Downloading"
    let items: ItemFeed
    /// Whether more items become known while the job runs.
    var isGrowing = false
    let configuration: NetworkQueue.Configuration
    var transport: any Transport = DefaultTransport.shared
    let output: CommandOutput
    let interruption: Interruption
    /// Has the logins of hosts to which redirects lead.
    var decoration: RequestDecoration?
    /// The folder whose disk must have room for the files; `nil` if they go elsewhere.
    var folder: String?
    /// The total size of the files, if it is known.
    var size: Int64?
    /// The counts of files that belong to the job but are not sent: invalid lines of lists, and skipped files.
    var others: @Sendable () -> NetworkQueue.Progress.Counts = { NetworkQueue.Progress.Counts() }
    /// The numbers of items in the groups.
    var groups: @Sendable () -> GroupSizes = { GroupSizes() }
    /// The time after which no more transfers start, and the time that those have then which run; `nil` means no limit.
    var stop: (after: Duration, grace: Duration)?
    /// Called when nothing more is sent; completes ``items``.
    var endItems: @Sendable () async -> Void = {}
    /// A number to show in place of the received bytes; `nil` shows the received bytes.
    var bytes: (@Sendable () -> Int64)?
    private let shownFraction = Locked(0.0)
    /// The current time. Like ``makeQueue``, replaced by tests whose time stands still.
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    /// Creates the queue.
    var makeQueue: @Sendable (NetworkQueue.Configuration, any Transport, DispatchQueue) -> NetworkQueue = {
        NetworkQueue(configuration: $0, transport: $1, delegateQueue: $2)
    }

    /// Runs until every transfer has ended, or until a signal, a full disk or a failure has canceled the rest.
    func run() async -> JobReport {
        let space = space
        let monitor = JobMonitor(
            output: output, items: items, interruption: interruption, space: isGrowing ? nil : space,
            decoration: decoration, now: now)
        let queue = preparedQueue(monitor, space)
        let speed = SpeedControl()
        obey(interruption, queue, monitor, speed)
        let timer = stopTimer(of: queue)
        output.display.begin(title: title) {
            let progress = liveProgress(of: queue, monitor)
            speed.note(progress.bytesPerSecond)
            return DashboardModel(
                progress: progress, items: monitor.activeItems, groups: monitor.groups(in: queue, groups()),
                remarks: monitor.remarks + speed.remarks, isFlushing: queue.isFlushing)
        }
        let log = output.logProgress { progress(of: queue) }
        let statusTicker = output.status.map { status in
            Ticker(interval: StatusFile.interval) { status.write(progress(of: queue)) }
        }
        let summary = await send(to: queue)
        timer?.cancel()
        log?.stop()
        statusTicker?.stop()
        let isCut = !items.isComplete
        await endItems()
        let rest = items.rest
        if !output.listeners.isEmpty { for number in rest { monitor.tellOfCancelled(items.make(number)) } }
        output.status?.write(progress(of: queue, rest: rest.count))
        monitor.tellOfRetries()
        output.failures.end()
        for error in summary.flushFailures { output.log(error.flushLine) }
        let report = report(monitor, summary, rest: rest, isCut: isCut)
        // After a cancellation, a full bar would be wrong.
        let isWhole = report.signal == nil && !report.isDiskFull && !report.isStopped
        output.display.end(isWhole ? DashboardModel(progress: progress(of: queue, rest: rest.count)) : nil)
        return report
    }

    /// Whether later items go before all waiting ones, an order that only the queue can keep.
    private var isOrderedByQueue: Bool { isGrowing && configuration.mode == .lastInFirstOut }

    private func preparedQueue(_ monitor: JobMonitor, _ space: DiskSpace?) -> NetworkQueue {
        var configuration = configuration
        configuration.monitors.append(monitor)
        if configuration.mode == .lastInFirstOut, !isGrowing {
            configuration.mode = .firstInFirstOut
            items.reverse()
        }
        let queue = makeQueue(configuration, transport, DispatchQueue(label: "netqueue.delegate"))
        queue.delegate = monitor
        if let space, configuration.requiresSpace || output.writesJSON {
            queue.planHandler = { answer($0, space) }
        }
        return queue
    }

    /// Lets signals and keys act on the queue.
    private func obey(
        _ interruption: Interruption, _ queue: NetworkQueue, _ monitor: JobMonitor, _ speed: SpeedControl
    ) {
        interruption.onFirstSignal { cancel(queue) }
        interruption.onSpeedChange { isFaster in
            guard let limit = speed.next(after: queue.maxBytesPerSecond, isFaster: isFaster) else { return }
            queue.maxBytesPerSecond = limit
        }
        interruption.onGracefulStop {
            items.stop()
            queue.cancelWaiting()
            monitor.cancelIdle(in: queue)
        }
        interruption.onPause { isPaused in if isPaused { queue.pauseAll() } else { queue.resumeAll() } }
    }

    private func cancel(_ queue: NetworkQueue) {
        items.stop()
        queue.cancelAll()
    }

    private func stopTimer(of queue: NetworkQueue) -> Task<Void, any Error>? {
        stop.map { stop in
            Task { [interruption] in
                try await Task.sleep(for: stop.after)
                interruption.stopGracefully()
                try await Task.sleep(for: stop.grace)
                queue.cancelAll()
            }
        }
    }

    /// Sends the items through the queue, as they become known.
    private func send(to queue: NetworkQueue) async -> NetworkQueue.Summary {
        items.onGrowth { count in
            if !isOrderedByQueue { queue.expectRequests(count) }
            if queue.cancelsAllOnFailure, others().failed > 0 { cancel(queue) }
        }
        let requests = AsyncStream { () -> NetworkRequest? in
            let item = await items.next()
            // The previous item may have been added after the others were canceled.
            if items.isStopped {
                if interruption.isStopping { queue.cancelWaiting() } else { queue.cancelAll() }
            }
            return item
        }
        guard isOrderedByQueue else { return await queue.run(adding: requests) }
        while let item = items.nextKnown() { queue.add(item) }
        return await queue.run { for await request in requests { queue.add(request) } }
    }

    /// - Parameters:
    ///   - rest: The numbers of the items that were not sent, or whose transfers were canceled.
    ///   - isCut: Whether items may have remained unknown.
    private func report(
        _ monitor: JobMonitor, _ summary: NetworkQueue.Summary, rest: [Int], isCut: Bool
    ) -> JobReport {
        var report = monitor.report(groups())
        report.parts = (report.unfinished + items.underWay).map { items.make($0).keptBytes }.filter { $0 > 0 }
        report.unfinished = (report.unfinished + rest).sorted()
        report.counts = summary.counts
        report.counts.add(.init(cancelled: rest.count))
        report.duration = summary.duration
        report.unflushed = summary.flushFailures.compactMap { $0.fileURL?.path(percentEncoded: false) }
        report.signal = interruption.signal
        report.isStopped = interruption.isStopping && (isCut || report.counts.finished < report.counts.total)
        return report
    }

    /// Tells the plan, and refuses all downloads if some do not fit: those of unknown size, and those that a list
    /// brings later, would only fill the disk.
    private func answer(_ plan: NetworkQueue.Plan, _ space: DiskSpace) -> NetworkQueue.PlanDecision {
        output.tell(PlanReport(plan, size: size))
        guard configuration.requiresSpace, let volume = space.shortage(plan, size: size) else { return .start }
        items.stop()
        output.log(DiskNeed(volume).refusal)
        return .refuse(volume)
    }

    private var space: DiskSpace? {
        // Otherwise the warning about the size of a list would come beside the refusal.
        let size = configuration.requiresSpace ? nil : size
        return folder.map { DiskSpace($0, size: size) { [items] in items.all.reduce(0) { $0 + $1.bytesThere } } }
    }

    private var title: String {
        if isGrowing { return "\(verb) files from a list on standard input" }
        return "\(verb) \((items.count + others().total).counted("file"))"
    }

    /// The progress of a run that has not ended.
    private func liveProgress(of queue: NetworkQueue, _ monitor: JobMonitor) -> NetworkQueue.Progress {
        var progress = progress(of: queue)
        let isMoving = !queue.isSuspended && !queue.isFlushing
        progress.bytesPerSecond = monitor.bytesPerSecond(moved: isMoving ? queue.bytesMoved : nil)
        // The queue reads a long list in portions, and there is a pause between their sizes.
        let unreadCount = queue.unreadCount
        if case .sizing(let completed, let total) = progress.phase {
            progress.phase = .sizing(completed: completed, total: total + unreadCount)
        }
        if let sizing = progress.sizing {
            let isAsking = sizing.completed < sizing.total
            progress.sizing = isAsking ? .init(completed: sizing.completed, total: sizing.total + unreadCount) : nil
        }
        return progress
    }

    /// The fraction to show if the queue counts requests: that of the bytes, once the heads have told every size. Like
    /// the queue's, it never decreases.
    private func fraction(_ progress: NetworkQueue.Progress) -> Double {
        var fraction = progress.fractionCompleted
        let (download, upload) = (progress.download, progress.upload)
        if progress.phase == .transferring, !download.isEstimated, !upload.isEstimated,
            let expected = download.expected?.addingSaturated(upload.expected ?? 0), expected > 0
        {
            fraction = Double(download.transferred.addingSaturated(upload.transferred)) / Double(expected)
        }
        return shownFraction.withLock { shown in
            shown = max(shown, fraction)
            return shown
        }
    }

    /// The queue's progress, including files that are not sent through it.
    ///
    /// - Parameter rest: The number of items that will not be sent any more.
    private func progress(of queue: NetworkQueue, rest: Int = 0) -> NetworkQueue.Progress {
        var progress = queue.progress
        if !configuration.showsAccurateProgress { progress.fractionCompleted = fraction(progress) }
        if let bytes { progress.download = .init(transferred: bytes()) }
        // Neither predicts anything while the queue is suspended or waits for the disk.
        if queue.isSuspended || queue.isFlushing {
            (progress.bytesPerSecond, progress.estimatedTimeRemaining) = (nil, nil)
        }
        progress.counts.add(others())
        progress.counts.add(.init(cancelled: rest))
        return progress
    }
}

extension NetworkError {
    /// The line about a disk that did not take all files.
    var flushLine: String {
        let path = fileURL?.path(percentEncoded: false) ?? ""
        let reason = (underlying as? POSIXError)?.reason ?? "\(self)"
        return "netqueue: files in \(path), or elsewhere on that disk, may not be written to it: \(reason)"
    }
}
