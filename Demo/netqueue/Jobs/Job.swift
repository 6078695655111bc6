import Dashboard
import Dispatch
import NetworkQueueKit

/// Sends requests through one queue, and shows how it goes.
struct Job<Item: JobItem> {
    /// What is done with the items, as the first line of a log has it.
    var verb = "Downloading"
    let items: ItemFeed<Item>
    /// Whether others become known while it runs.
    var isGrowing = false
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
    /// The size of all files, if it is known.
    var size: Int64?
    /// What counts as files of the job without being sent: lines of lists that have failed, and files that are not
    /// asked for.
    var others: @Sendable () -> NetworkQueue.Progress.Counts = { NetworkQueue.Progress.Counts() }
    /// What stands in the place of the bytes that have been received; `nil` leaves them.
    var bytes: (@Sendable () -> Int64)?

    /// Runs until every transfer has ended, or a signal, a full disk or a failure has cancelled the rest.
    ///
    /// Returns what came of it, and the numbers of the items that have failed or were cancelled, in their order.
    func run() async -> (report: JobReport, unfinished: [Int]) {
        let failures = failures ?? FailureLines(display: display)
        let monitor = JobMonitor(
            display: display, failures: failures, space: isGrowing ? nil : space,
            listeners: listeners, netrc: netrc, hasProxyLogin: hasProxyLogin, didEnd: items.end,
            willStop: items.stop)
        var configuration = configuration
        configuration.monitors.append(monitor)
        let beginsWithLast = configuration.mode == .lastInFirstOut
        if beginsWithLast, !isGrowing {
            configuration.mode = .firstInFirstOut
            items.beginWithLast()
        }
        let queue = NetworkQueue(
            configuration: configuration, transport: transport,
            delegateQueue: DispatchQueue(label: "netqueue.delegate"))
        queue.delegate = monitor
        let cancel = { @Sendable in
            items.stop()
            queue.cancelAll()
        }
        interruption.onFirstSignal(cancel)
        interruption.onPause { isPaused in
            if isPaused { queue.pauseAll() } else { queue.resumeAll() }
        }
        display.begin(title: title) {
            DashboardModel(progress: progress(of: queue), items: monitor.items, remarks: monitor.remarks)
        }
        items.onGrowth { [beginsWithLast, isGrowing] count in
            if !beginsWithLast || !isGrowing { queue.expectRequests(count) }
            if queue.cancelsAllOnFailure, others().failed > 0 { cancel() }
        }
        let requests = AsyncStream { () -> NetworkRequest? in
            let item = await items.next()
            // The one before may have been on its way when the others were cancelled.
            if items.isStopped { queue.cancelAll() }
            return item?.request
        }
        let summary: NetworkQueue.Summary
        if beginsWithLast, isGrowing {
            // What comes later goes before all that waits, which the queue alone can put in order.
            while let item = items.nextKnown() { queue.add(item.request) }
            summary = await queue.run {
                for await request in requests { queue.add(request) }
            }
        } else {
            summary = await queue.run(adding: requests)
        }
        let rest = items.rest
        if !listeners.isEmpty {
            for number in rest { monitor.tellOfCancelled(items.make(number).request) }
        }
        monitor.tellOfRetries()
        failures.end()
        let record = monitor.record
        // After a cancellation a bar that is full would be a lie.
        let isWhole = interruption.signal == nil && !record.isDiskFull
        display.end(isWhole ? DashboardModel(progress: progress(of: queue, rest: rest.count)) : nil)
        let unfinished = (record.unfinished + rest).sorted()
        var counts = summary.counts
        counts.addCancelled(rest.count)
        let report = JobReport(
            counts: counts, bytes: record.bytes, duration: summary.duration, record: record,
            parts: unfinished.map { items.make($0).keptBytes }.filter { $0 > 0 }, signal: interruption.signal)
        return (report, unfinished)
    }

    private var space: DiskSpace? {
        folder.map { DiskSpace($0, size: size) { [items] in items.all.reduce(0) { $0 + $1.bytesThere } } }
    }

    private var title: String {
        if isGrowing { return "\(verb) files as the standard input names them" }
        let count = items.count + others().total
        return "\(verb) \(count) \(count == 1 ? "file" : "files")"
    }

    /// The progress, with what counts beside the queue's own requests.
    ///
    /// - Parameter rest: how many are not sent any more.
    private func progress(of queue: NetworkQueue, rest: Int = 0) -> NetworkQueue.Progress {
        var progress = queue.progress
        if let bytes { progress.download = .init(transferred: bytes()) }
        // Neither says anything about when it will end.
        if queue.isSuspended { (progress.bytesPerSecond, progress.estimatedTimeRemaining) = (nil, nil) }
        let others = others()
        progress.counts.total += others.total
        progress.counts.finished += others.finished
        progress.counts.failed += others.failed
        progress.counts.addCancelled(rest)
        return progress
    }
}

extension NetworkQueue.Progress.Counts {
    fileprivate mutating func addCancelled(_ number: Int) {
        total += number
        cancelled += number
    }
}
