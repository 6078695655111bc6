// snippet: delegate
import Foundation
import NetworkQueueKit

@MainActor
final class FileSync: @MainActor NetworkQueueDelegate {
    private let queue = NetworkQueue()

    func start(_ files: [URL], into folder: URL) {
        queue.delegate = self
        queue.cancelsAllOnFailure = false
        for file in files {
            var request = NetworkRequest(file)
            request.destination = .file(folder.appending(component: file.safeFileName))
            queue.add(request)
        }
        queue.go()
    }

    func networkQueue(_ queue: NetworkQueue, didUpdate progress: NetworkQueue.Progress) {
        print("\(Int(progress.fractionCompleted * 100)) %")
    }

    func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError) {
        print("\(operation.request.url.safeFileName): \(error)")
    }

    func networkQueueDidFinish(_ queue: NetworkQueue, summary: NetworkQueue.Summary) {
        print("\(summary.counts.finished) of \(summary.counts.total) files in \(summary.duration)")
    }
}
// end

// snippet: await
import Foundation
import NetworkQueueKit

func download(_ files: Set<URL>, with queue: RequestQueue) async throws -> [URL: Data] {
    try await withThrowingTaskGroup(of: (URL, Data).self) { group in
        for file in files {
            group.addTask { (file, try await queue.data(for: file)) }
        }
        return try await group.reduce(into: [:]) { contents, file in contents[file.0] = file.1 }
    }
}
// end
