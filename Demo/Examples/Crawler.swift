import Foundation
import NetworkQueueKit

/// Reads all pages of a site that are reachable from a start page, and collects broken links.
private final class Crawler: NetworkQueueDelegate {
    private let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "crawler"))
    private let host: String?
    private var seen: Set<URL> = []
    private(set) var pages: Set<URL> = []
    private(set) var brokenLinks: [URL] = []

    init(host: String?) {
        self.host = host
        queue.delegate = self
        queue.cancelsAllOnFailure = false
        queue.maxConcurrentRequestCountPerHost = 2
        queue.headers = ["User-Agent": "crawler/1.0"]
    }

    func crawl(from url: URL) async -> NetworkQueue.Summary {
        visit(url)
        return await queue.run()
    }

    private func visit(_ url: URL) {
        guard url.host() == host, seen.insert(url).inserted else { return }
        queue.add(url)
    }

    func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation) {
        // A redirect may have led to another host.
        guard let head = operation.responseHead, let data = operation.data, head.url.host() == host else { return }
        pages.insert(head.url)
        guard head.headers["Content-Type"]?.hasPrefix("text/html") == true else { return }
        for link in String(decoding: data, as: UTF8.self).matches(of: /href="([^"#]+)/) {
            if let url = URL(string: String(link.1), relativeTo: head.url) { visit(url.absoluteURL) }
        }
    }

    func networkQueue(_ queue: NetworkQueue, didFail operation: RequestOperation, with error: NetworkError) {
        print("  \(operation.request.url.path()): \(error.localizedDescription)")
        brokenLinks.append(operation.request.url)
    }
}

enum Crawling: Example {
    static let subject = "a crawler finds all pages of a site and its broken links"

    static func run(_ site: Site) async throws {
        let crawler = Crawler(host: site.server.url.host())
        let summary = await crawler.crawl(from: site.url("/site/0"))
        print("  \(crawler.pages.count) pages, \(summary.bytesReceived) bytes")
        try check(crawler.pages == Set((0..<20).map { site.url("/site/\($0)") }), "each page is found")
        try check(crawler.brokenLinks == [site.url("/site/gone")], "one link leads nowhere")
        try check(site.server.requestCount("/site/7", method: "GET") == 1, "no link is followed twice")
        try check(site.server.peakConcurrentRequestCount <= 2, "two requests at a time are enough")
    }
}
