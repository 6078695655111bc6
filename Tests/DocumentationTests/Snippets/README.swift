// snippet: quick start
import Foundation
import NetworkQueueKit

func download(_ urls: [URL], into folder: URL) async -> NetworkQueue.Summary {
    let queue = NetworkQueue()
    queue.cancelsAllOnFailure = false
    for url in urls {
        let file = folder.appending(component: url.safeFileName)
        queue.add(NetworkRequest(url, destination: .file(file, onConflict: .keepIfCurrent(otherwise: .overwrite))))
    }
    return await queue.run()
}
// end

// snippet: delegate
@MainActor
final class FileSync: @MainActor NetworkQueueDelegate {
    private let queue = NetworkQueue()

    func start(_ requests: [NetworkRequest]) {
        queue.delegate = self
        queue.cancelsAllOnFailure = false
        queue.add(contentsOf: requests)
        queue.go()
    }

    func networkQueue(_ queue: NetworkQueue, didUpdate progress: NetworkQueue.Progress) {
        print("\(Int(progress.fractionCompleted * 100)) %")
    }

    func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError) {
        print("\(operation.request.url): \(error)")
    }

    func networkQueueDidFinish(_ queue: NetworkQueue, summary: NetworkQueue.Summary) {
        print("\(summary.counts.finished) of \(summary.counts.total) files in \(summary.duration)")
    }
}
// end

private func readmeAwait(url: URL, file: URL) async throws {
    // snippet: await
    let queue = RequestQueue()
    let data = try await queue.data(for: url)
    let response = try await queue.download(url, to: file)
    // end
    print(data.count, response.head.statusCode)
}

private func readmeEvents(queue: NetworkQueue) async {
    // snippet: events
    let events = queue.events()
    queue.go()
    for await event in events {
        switch event {
        case .didUpdate(let progress): print(progress.fractionCompleted)
        case .didFail(let operation, let error): print(operation.request.url, error)
        case .queueDidFinish(let summary): print(summary)
        default: break
        }
    }
    // end
}
