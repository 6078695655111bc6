import Dashboard
import Dispatch
import NetworkQueueKit

/// Sends requests through one queue, and shows how it goes.
struct Job<Item: JobItem> {
    /// What is done with the items, as the first line of a log has it.
    var verb = "Downloading"
    let items: [Item]
    let configuration: NetworkQueue.Configuration
    var transport: any Transport = DefaultTransport.shared
    let display: any ProgressDisplay
    let interruption: Interruption
    /// What else is told of each event.
    var listeners: [any JobListener] = []

    /// Runs until every transfer has ended, or a signal or a full disk has cancelled the rest.
    func run() async -> JobReport {
        let queue = NetworkQueue(
            configuration: configuration, transport: transport,
            delegateQueue: DispatchQueue(label: "netqueue.delegate"))
        let monitor = JobMonitor(display: display, listeners: listeners)
        queue.delegate = monitor
        for operation in queue.add(contentsOf: items.lazy.map(\.request)) { monitor.follow(operation) }
        interruption.onFirstSignal { queue.cancelAll() }
        display.begin(title: "\(verb) \(items.count) \(items.count == 1 ? "file" : "files")") {
            DashboardModel(progress: queue.progress, items: monitor.items)
        }
        let summary = await queue.run()
        let record = monitor.record
        // After a cancellation a bar that is full would be a lie.
        let isWhole = interruption.signal == nil && !record.isDiskFull
        display.end(isWhole ? DashboardModel(progress: queue.progress) : nil)
        return JobReport(
            counts: summary.counts, bytes: summary.bytesReceived + summary.bytesSent, duration: summary.duration,
            record: record, parts: items.lazy.filter { record.unfinished.contains($0.name) }.map(\.keptBytes),
            signal: interruption.signal)
    }
}
