import Foundation
import NetworkQueueKit

enum MigratingFromASINetworkQueueSnippets {
    // snippet: fetcher
    @MainActor
    final class ImageFetcher: @MainActor NetworkQueueDelegate {
        private let queue = NetworkQueue()
        private(set) var fractionCompleted = 0.0

        func fetch(_ urls: [URL]) {
            queue.reset()
            queue.delegate = self
            queue.cancelsAllOnFailure = false
            for url in urls { queue.add(url) }
            queue.go()
        }

        func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation) {
            print("\(operation.request.url): \(operation.data?.count ?? 0) bytes")
        }

        func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError) {
            print("\(operation.request.url): \(error)")
        }

        func networkQueue(_ queue: NetworkQueue, didUpdate progress: NetworkQueue.Progress) {
            fractionCompleted = progress.fractionCompleted
        }

        func networkQueueDidFinish(_ queue: NetworkQueue, summary: NetworkQueue.Summary) {
            print(summary)
        }
    }
    // end
}
