import Foundation
import NetworkQueueKit

/// A controller written for ASINetworkQueue, after porting: its selectors have become delegate methods.
final class ImageFetcher: NetworkQueueDelegate {
    private let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "images"))
    private(set) var fetched: [String: Data] = [:]
    private(set) var failed: [String] = []

    /// `[queue reset]`, `setDownloadProgressDelegate:`, `setShowAccurateProgress:`, `[queue go]`.
    func fetch(_ images: [(name: String, url: URL)]) async -> NetworkQueue.Summary {
        queue.reset()
        queue.delegate = self
        queue.showsAccurateProgress = true
        queue.cancelsAllOnFailure = false
        queue.maxConcurrentRequestCount = 4
        for image in images {
            var request = NetworkRequest(image.url)
            // `[request setUserInfo:…]`
            request.tag = image.name
            queue.add(request)
        }
        return await queue.run()
    }

    /// `requestDidFinishSelector`
    func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation) {
        if let name = operation.request.tag { fetched[name] = operation.data }
    }

    /// `requestDidFailSelector`
    func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError) {
        if let name = operation.request.tag { failed.append(name) }
    }
}

enum ASINetworkQueuePort: Example {
    static let subject = "code written for ASINetworkQueue"

    static func run(_ site: Site) async throws {
        let fetcher = ImageFetcher()
        for _ in 0..<2 {
            let summary = await fetcher.fetch([
                ("logo", site.url("/files/1")), ("map", site.url("/files/2")), ("lost", site.url("/none")),
            ])
            try check(summary.counts.finished == 2, "two images have come")
        }
        try check(fetcher.fetched["map"]?.count == 24_000, "they are known by their names")
        try check(fetcher.failed == ["lost", "lost"], "the third is missing")
    }
}
