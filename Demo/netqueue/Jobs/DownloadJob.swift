import Dashboard
import Dispatch
import NetworkQueueKit

/// Fetches files through one queue, and shows how it goes.
struct DownloadJob {
    let downloads: [Download]
    let configuration: NetworkQueue.Configuration
    var transport: any Transport = DefaultTransport.shared
    let display: any ProgressDisplay
    let interruption: Interruption

    /// Runs until every download has ended, or a signal or a full disk has cancelled the rest.
    func run() async -> JobReport {
        let queue = NetworkQueue(
            configuration: configuration, transport: transport,
            delegateQueue: DispatchQueue(label: "netqueue.delegate"))
        let monitor = JobMonitor(display: display)
        queue.delegate = monitor
        for operation in queue.add(contentsOf: downloads.lazy.map(\.request)) { monitor.follow(operation) }
        interruption.onFirstSignal { queue.cancelAll() }
        display.begin(fileCount: downloads.count) {
            DashboardModel(progress: queue.progress, items: monitor.items)
        }
        let summary = await queue.run()
        let record = monitor.record
        // After a cancellation a bar that is full would be a lie.
        let isWhole = interruption.signal == nil && !record.isDiskFull
        display.end(isWhole ? DashboardModel(progress: queue.progress) : nil)
        return JobReport(
            counts: summary.counts, bytes: summary.bytesReceived, duration: summary.duration, record: record,
            parts: downloads.lazy.filter { record.unfinished.contains($0.name) }.map(\.keptBytes),
            signal: interruption.signal)
    }
}
