import Dashboard
import Dispatch
import NetworkQueueKit

/// Sends requests through one queue, and shows how it goes.
struct Job<Item: JobItem> {
    /// What is done with the items, as the first line of a log has it.
    var verb = "Downloading"
    let items: [Item]
    /// Those that become known while it runs.
    var more: ItemFeed<Item>?
    let configuration: NetworkQueue.Configuration
    var transport: any Transport = DefaultTransport.shared
    let display: any ProgressDisplay
    let interruption: Interruption
    /// Tells of failures; `nil` is one of its own.
    var failures: FailureLines?
    /// Has the logins of hosts that redirects lead to.
    var netrc: Netrc?
    /// Whether there are user and password for the proxy.
    var hasProxyLogin = false
    /// What else is told of each event.
    var listeners: [any JobListener] = []
    /// The folder whose disk the files have to fit on; `nil` where they go elsewhere.
    var folder: String?
    /// What counts as files of the job without being sent: lines of lists that have failed, and files that are not
    /// asked for.
    var others: @Sendable () -> NetworkQueue.Progress.Counts = { NetworkQueue.Progress.Counts() }
    /// What stands in the place of the bytes that have been received; `nil` leaves them.
    var bytes: (@Sendable () -> Int64)?

    /// Runs until every transfer has ended, or a signal, a full disk or a failure has cancelled the rest.
    ///
    /// Returns what came of it, and the items that have failed or were cancelled.
    func run() async -> (report: JobReport, unfinished: [Item]) {
        let failures = failures ?? FailureLines(display: display)
        let items = items
        let monitor = JobMonitor(
            display: display, failures: failures,
            // Of those that become known later the sizes are not asked for.
            space: more == nil ? folder.map { DiskSpace($0) { items.reduce(0) { $0 + $1.bytesThere } } } : nil,
            listeners: listeners, netrc: netrc, hasProxyLogin: hasProxyLogin
        ) { more?.stop() }
        var configuration = configuration
        configuration.monitors.append(monitor)
        let queue = NetworkQueue(
            configuration: configuration, transport: transport,
            delegateQueue: DispatchQueue(label: "netqueue.delegate"))
        queue.delegate = monitor
        add(items, to: queue, monitor)
        interruption.onFirstSignal {
            more?.stop()
            queue.cancelAll()
        }
        interruption.onPause { isPaused in
            if isPaused { queue.pauseAll() } else { queue.resumeAll() }
        }
        display.begin(title: title) {
            DashboardModel(progress: progress(of: queue), items: monitor.items, remarks: monitor.remarks)
        }
        let cancelIfOthersFailed = { @Sendable in
            guard queue.cancelsAllOnFailure, others().failed > 0 else { return }
            more?.stop()
            queue.cancelAll()
        }
        cancelIfOthersFailed()
        var all = items
        let summary = await queue.run {
            guard let more else { return }
            for await portion in more.portions {
                all += portion
                add(portion, to: queue, monitor)
                // It may have been stopped just before they were added.
                if more.isStopped { queue.cancelAll() }
                cancelIfOthersFailed()
            }
        }
        monitor.tellOfRetries()
        failures.end()
        let record = monitor.record
        // After a cancellation a bar that is full would be a lie.
        let isWhole = interruption.signal == nil && !record.isDiskFull
        display.end(isWhole ? DashboardModel(progress: progress(of: queue)) : nil)
        let unfinished = record.unfinished.isEmpty ? [] : all.filter { record.unfinished.contains($0.name) }
        let report = JobReport(
            counts: summary.counts, bytes: record.bytes,
            duration: summary.duration,
            record: record, parts: unfinished.map(\.keptBytes), signal: interruption.signal)
        return (report, unfinished)
    }

    private var title: String {
        if more != nil { return "\(verb) files as the standard input names them" }
        let count = items.count + others().total
        return "\(verb) \(count) \(count == 1 ? "file" : "files")"
    }

    /// The progress, with what counts beside the queue's own requests.
    private func progress(of queue: NetworkQueue) -> NetworkQueue.Progress {
        var progress = queue.progress
        if let bytes { progress.download = .init(transferred: bytes()) }
        // Neither says anything about when it will end.
        if queue.isSuspended { (progress.bytesPerSecond, progress.estimatedTimeRemaining) = (nil, nil) }
        let others = others()
        progress.counts.total += others.total
        progress.counts.finished += others.finished
        progress.counts.failed += others.failed
        return progress
    }

    private func add(_ items: [Item], to queue: NetworkQueue, _ monitor: JobMonitor) {
        for item in items {
            let operation = RequestOperation(item.request)
            monitor.follow(operation)
            queue.add(operation)
        }
    }
}
