import Dashboard
import Dispatch
import NetworkQueueKit

/// Fetches files through one queue, and shows how it goes.
struct DownloadJob {
    let downloads: [Download]
    let jobs: Int
    var checkers: Int?
    let usesSizing: Bool
    var retryPolicy = RetryPolicy.never
    let display: any ProgressDisplay
    let interruption: Interruption

    /// Runs until every download has ended or a signal has cancelled the rest.
    func run() async -> JobReport {
        let queue = makeQueue()
        let monitor = JobMonitor(display: display)
        queue.delegate = monitor
        queue.add(contentsOf: downloads.lazy.map(\.request))
        interruption.onFirstSignal { queue.cancelAll() }
        display.begin(fileCount: downloads.count) {
            DashboardModel(progress: queue.progress, items: monitor.items)
        }
        let summary = await queue.run()
        // After a cancellation a bar that is full would be a lie.
        display.end(interruption.signal == nil ? DashboardModel(progress: queue.progress) : nil)
        return JobReport(
            counts: summary.counts, bytes: summary.bytesReceived, duration: summary.duration,
            failures: monitor.failures, signal: interruption.signal)
    }

    private func makeQueue() -> NetworkQueue {
        var configuration = NetworkQueue.Configuration()
        configuration.maxConcurrentRequestCount = jobs
        if let checkers { configuration.maxConcurrentSizingCount = checkers }
        configuration.cancelsAllOnFailure = false
        configuration.showsAccurateProgress = usesSizing
        configuration.retryPolicy = retryPolicy
        return NetworkQueue(configuration: configuration, delegateQueue: DispatchQueue(label: "netqueue.delegate"))
    }
}
