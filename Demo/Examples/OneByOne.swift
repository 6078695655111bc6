import Foundation
import NetworkQueueKit

enum OneByOne: Example {
    static let subject = "twenty requests, awaited one by one until the task is cancelled"

    static func run(_ site: Site) async throws {
        let queue = RequestQueue()
        let total = try await size(ofFiles: 20, site, queue)
        try check(total == (0..<20).reduce(0) { $0 + 20_000 + $1 * 2_000 }, "all have come")

        // Cancels the task from inside, as its owner would with `task.cancel()`.
        let task = Task {
            try await size(ofFiles: 20, site, queue) { number in
                if number == 10 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        guard case .failure(let error) = await task.result else {
            throw Disappointment(description: "the task has not been cancelled")
        }
        try check((error as? NetworkError)?.code == .cancelled, "the task's own request has been cancelled")
        // The queue continues to serve other requests.
        try check(try await queue.data(for: site.url("/files/0")).count == 20_000, "the queue goes on")
    }

    private static func size(
        ofFiles count: Int, _ site: Site, _ queue: RequestQueue, progress: (Int) -> Void = { _ in }
    ) async throws -> Int {
        var sum = 0
        for number in 0..<count {
            sum += try await queue.data(for: site.url("/files/\(number)")).count
            progress(number)
        }
        return sum
    }
}
