import Foundation
import NetworkQueueKit

enum DownloadsSnippets {
    static func update(_ url: URL, _ file: URL, _ digits: String, _ queue: NetworkQueue) {
        // snippet: download
        var request = NetworkRequest.download(url, to: file, onConflict: .keepIfCurrent(otherwise: .overwrite))
        request.expectedChecksum = .sha256(digits)
        queue.add(request)
        // end
    }

    static func await(_ url: URL, _ file: URL) async throws -> Response {
        // snippet: await
        let response = try await RequestQueue().download(url, to: file, onConflict: .rename)
        print(response.fileURL?.lastPathComponent ?? "", response.wasKept)
        // end
        return response
    }

    static func signed(_ link: URL, _ file: URL, _ queue: NetworkQueue) {
        // snippet: key
        var request = NetworkRequest.download(link, to: file)
        request.resumeKey = "reports/2026-11.pdf"
        queue.add(request)
        // end
    }

    static func renewed(_ link: URL, _ file: URL, _ service: some LinkService, _ queue: NetworkQueue) {
        // snippet: fresh
        var request = NetworkRequest.download(link, to: file)
        request.freshURL = { expired, _ in try await service.link(for: expired) }
        queue.add(request)
        // end
    }

    protocol LinkService: Sendable {
        func link(for expired: URL) async throws -> URL
    }

    static func giveUp(_ operation: RequestOperation, _ file: URL) async {
        // snippet: remove
        operation.cancel()
        _ = try? await operation.response()
        PartialDownload.remove(for: file)
        // end
    }

    static func split(_ url: URL, _ file: URL) async -> NetworkQueue.Summary {
        // snippet: splitting
        let queue = NetworkQueue()
        queue.splitting = NetworkRequest.Splitting(maxParts: 4, minPartSize: 4 << 20)
        queue.add(.download(url, to: file))
        // end
        return await queue.run()
    }

    static func mirrored(_ url: URL, _ other: URL, _ file: URL, _ digits: String) -> NetworkRequest {
        // snippet: mirrors
        var request = NetworkRequest.download(url, to: file, expectedChecksum: .sha256(digits))
        request.mirrors = [other]
        // end
        return request
    }

    // snippet: sink
    actor LineCounter: DownloadSink {
        private(set) var count = 0

        func begin(_ head: ResponseHead) { count = 0 }
        func write(_ chunk: Data) { count += chunk.count { $0 == UInt8(ascii: "\n") } }
    }
    // end

    static func count(_ url: URL, _ queue: RequestQueue) async throws -> Int {
        // snippet: use
        let counter = LineCounter()
        _ = try await queue.response(for: NetworkRequest(url, destination: .sink(counter)))
        let count = await counter.count
        // end
        return count
    }
}
