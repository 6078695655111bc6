import Foundation
import NetworkQueueKit

enum AsyncBatch: Example {
    static let subject = "a batch that is awaited, with its events"

    static func run(_ site: Site) async throws {
        let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "batch"))
        queue.cancelsAllOnFailure = false
        let operations = queue.add(contentsOf: (0...20).map { .get(site.url("/files/\($0)")) })
        let events = queue.events()
        async let summary = queue.run()
        for await event in events {
            switch event {
            case .didUpdate(let progress): print("  \(Int(progress.fractionCompleted * 100)) %")
            case .didFail(let operation, let error): print("  \(operation.request): \(error.localizedDescription)")
            default: break
            }
        }
        // The server does not have the last file.
        try check(await summary.counts.finished == 20, "20 files have come")
        try check(await summary.failures.map(\.error.code) == [.httpStatus(404)], "one is missing")
        try check(operations[0].data?.count == 20_000, "their content is in memory")
    }
}
