import Foundation
import NetworkQueueKit

enum BatchesAndDelegatesSnippets {
    // snippet: delegate
    @MainActor
    final class FileSync: @MainActor NetworkQueueDelegate {
        private let queue = NetworkQueue()
        private(set) var lines: [String] = []

        func start(_ files: [URL], into folder: URL) {
            queue.delegate = self
            queue.cancelsAllOnFailure = false
            for file in files {
                queue.add(.download(file, to: folder.appending(component: file.safeFileName), onConflict: .overwrite))
            }
            queue.go()
        }

        func networkQueue(_ queue: NetworkQueue, didUpdate progress: NetworkQueue.Progress) {
            lines.append("\(Int(progress.fractionCompleted * 100)) %")
        }

        func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError) {
            lines.append("\(operation.request.url.safeFileName): \(error)")
        }

        func networkQueueDidFinish(_ queue: NetworkQueue, summary: NetworkQueue.Summary) {
            lines.append("\(summary.counts.finished) of \(summary.counts.total) files")
        }
    }
    // end

    static func batch(_ urls: AsyncStream<URL>, _ queue: NetworkQueue) async -> NetworkQueue.Summary {
        // snippet: run
        let summary = await queue.run {
            for await url in urls { queue.add(url) }
        }
        // end
        return summary
    }

    static func list(
        _ list: URL, into folder: URL, _ queue: NetworkQueue
    ) async throws -> NetworkQueue.Summary {
        // snippet: list
        let lines = try await RequestQueue().lines(for: list)
        let requests = lines.compactMap { line in
            URL(webAddress: line).map { NetworkRequest.download($0, to: folder.appending(component: $0.safeFileName)) }
        }
        let summary = try await queue.run(adding: requests, expectedCount: 20_000)
        // end
        return summary
    }

    static func repeated(_ queue: NetworkQueue) async -> NetworkQueue.Summary {
        // snippet: retry
        let summary = await queue.run { queue.retryFailed() }
        // end
        return summary
    }

    static func depending(_ login: URL, _ notes: URL, _ queue: NetworkQueue) {
        // snippet: dependency
        let first = RequestOperation(.post(login))
        let second = RequestOperation(.get(notes))
        second.addDependency(first)
        queue.add(first)
        queue.add(second)
        // end
    }
}
