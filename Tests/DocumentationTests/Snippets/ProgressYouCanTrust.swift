import Foundation
import NetworkQueueKit

enum ProgressYouCanTrustSnippets {
    static func text(_ progress: NetworkQueue.Progress) -> String {
        // snippet: label
        func label(_ progress: NetworkQueue.Progress) -> String {
            var parts = ["\(Int(progress.fractionCompleted * 100)) %"]
            parts.append("\(progress.counts.finished) of \(progress.counts.total) files")
            if let expected = progress.download.expected {
                let sign = progress.download.isEstimated ? "~" : ""
                parts.append("\(progress.download.transferred) of \(sign)\(expected) bytes")
            }
            if let speed = progress.bytesPerSecond { parts.append("\(Int(speed)) bytes/s") }
            if let rest = progress.estimatedTimeRemaining { parts.append("\(rest.components.seconds) s left") }
            return parts.joined(separator: ", ")
        }
        // end
        return label(progress)
    }

    static func sizes(_ url: URL, _ queue: NetworkQueue) {
        // snippet: sizes
        var exact = NetworkRequest(url)
        exact.expectedDownloadSize = 52_428_800  // a contract: any other size fails
        var guess = NetworkRequest(url)
        guess.estimatedDownloadSize = 50_000_000  // for the progress only
        queue.add(contentsOf: [exact, guess])
        // end
    }

    static func settings() -> NetworkQueue {
        // snippet: settings
        let queue = NetworkQueue()
        queue.sizingTimeout = .seconds(3)
        queue.progressInterval = .milliseconds(250)
        // end
        return queue
    }

    static func one(_ operation: RequestOperation, show: (Double) -> Void) async {
        // snippet: operation
        for await progress in operation.progressUpdates {
            if let fraction = progress.fractionCompleted { show(fraction) }
        }
        // end
    }
}
