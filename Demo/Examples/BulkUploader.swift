import Foundation
import LoopbackHTTP
import NetworkQueueKit

/// Uploads all files of a folder and prints the outcome of each.
private struct BulkUploader {
    let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "uploads"))
    let target: URL

    init(target: URL, limit: BandwidthLimit) {
        self.target = target
        queue.cancelsAllOnFailure = false
        queue.maxConcurrentRequestCount = 6
        queue.bandwidthLimit = limit
        queue.retryPolicy = RetryPolicy(maxRetries: 3, backoff: .exponential(base: .milliseconds(20)))
    }

    func upload(_ folder: URL) async throws -> NetworkQueue.Summary {
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            queue.add(.put(target.appending(component: file.lastPathComponent), body: .file(file)))
        }
        let events = queue.events()
        async let summary = queue.run()
        for await event in events {
            switch event {
            case .didUpdate(let progress): print("  \(Int(progress.fractionCompleted * 100)) %")
            case .didFinish(let operation):
                print("  \(operation.request.url.safeFileName): \(operation.progress.upload.transferred) bytes sent")
            case .willRetry(let operation, _, let error), .didFail(let operation, let error):
                print("  \(operation.request.url.safeFileName), \(operation.status): \(error.localizedDescription)")
            default: break
            }
        }
        return await summary
    }
}

enum BulkUpload: Example {
    static let subject = "a folder is uploaded, and what has failed is uploaded again"

    static func run(_ site: Site) async throws {
        let files = (0..<12).map { ("\($0).bin", GeneratedContent(size: 300_000, seed: $0).data) }
        for (name, content) in files { try content.write(to: site.file(name)) }
        // An app can share one limit among all its queues.
        let limit = BandwidthLimit(bytesPerSecond: 4_000_000)
        let uploader = BulkUploader(target: site.url("/bulk"), limit: limit)
        let summary = try await uploader.upload(site.folder)
        print("  \(summary)")
        try check(summary.counts.finished == 11, "the server had no room for one file")
        try check(summary.failures.map(\.error.code) == [.httpStatus(507)], "and said so")
        limit.bytesPerSecond = nil
        let second = await uploader.queue.run { uploader.queue.retryFailed() }
        try check(second.isSuccess && second.counts.total == 1, "then it had")
        for (name, content) in files {
            let received = site.server.requests.last { $0.path == "/bulk/\(name)" }
            try check(received?.bodyChecksum == ContentChecksum.of(content), "\(name) is there")
        }
    }
}
