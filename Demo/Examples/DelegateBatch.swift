import Foundation
import NetworkQueueKit

/// Downloads files into a folder and tracks one progress for all of them.
final class FileBatch: NetworkQueueDelegate {
    private(set) var savedFiles: [URL] = []
    private(set) var latestFraction = 0.0

    func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation) {
        if let file = operation.fileURL { savedFiles.append(file) }
    }

    func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError) {
        print("\(operation.request.url.safeFileName): \(error.localizedDescription)")
    }

    func networkQueue(_ queue: NetworkQueue, didUpdate progress: NetworkQueue.Progress) {
        latestFraction = progress.fractionCompleted
    }

    func networkQueueDidFinish(_ queue: NetworkQueue, summary: NetworkQueue.Summary) {
        print("  \(summary.counts.finished) files, \(summary.bytesReceived) bytes")
    }
}

enum DelegateBatch: Example {
    static let subject = "a batch under one delegate"

    static func run(_ site: Site) async throws {
        let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "files"))
        let batch = FileBatch()
        queue.delegate = batch
        queue.cancelsAllOnFailure = false
        for number in 0..<20 {
            queue.add(.download(site.url("/files/\(number)"), to: site.file("\(number).bin")))
        }
        await queue.run()
        try check(batch.savedFiles.count == 20, "all files are saved")
        try check(batch.latestFraction == 1, "the last progress is 1")
    }
}
