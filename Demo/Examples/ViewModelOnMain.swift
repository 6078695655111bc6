import Foundation
import NetworkQueueKit

/// The state that a view shows for a download of several files.
@MainActor
final class DownloadModel: @MainActor NetworkQueueDelegate {
    private(set) var fraction = 0.0
    private(set) var title = "Ready"
    private let queue = NetworkQueue()

    func download(_ urls: [URL]) async {
        queue.delegate = self
        queue.add(contentsOf: urls.map { NetworkRequest($0) })
        title = "Downloading"
        // When the view goes away, its task is canceled, and with it the batch.
        await queue.run()
    }

    func networkQueue(_ queue: NetworkQueue, didUpdate progress: NetworkQueue.Progress) {
        fraction = progress.fractionCompleted
        if let time = progress.estimatedTimeRemaining { title = "\(time.components.seconds) s left" }
    }

    func networkQueueDidFinish(_ queue: NetworkQueue, summary: NetworkQueue.Summary) {
        title = summary.firstFailure?.error.localizedDescription ?? "\(summary.counts.finished) files"
    }
}

enum ViewModelOnMain: Example {
    static let subject = "a view model on the main actor"

    static func run(_ site: Site) async throws {
        let model = DownloadModel()
        await model.download((0..<5).map { site.url("/files/\($0)") })
        try check(await model.fraction == 1, "the bar is full")
        try check(await model.title == "5 files", "the title tells the end")

        // Cancels the task, as a view does when it goes away.
        site.server.serve("/slow", .silence)
        let task = Task { await model.download([site.url("/slow")]) }
        task.cancel()
        await task.value
        try check(await model.title == "0 files", "the batch has been cancelled with its task")
    }
}
