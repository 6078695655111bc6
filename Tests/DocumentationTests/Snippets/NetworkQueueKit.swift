import Foundation
import NetworkQueueKit

enum FirstPageSnippets {
    static func batch(_ files: [URL], into folder: URL) async {
        // snippet: batch
        let queue = NetworkQueue()
        for url in files {
            let file = folder.appending(component: url.safeFileName)
            queue.add(.download(url, to: file))
        }
        let summary = await queue.run()
        print("\(summary.counts.finished) of \(summary.counts.total) files")
        // end
    }

    struct Note: Decodable {
        let text: String
    }

    static func value(_ url: URL) async throws -> [Note] {
        // snippet: value
        let notes = try await RequestQueue.main.value(of: [Note].self, for: url)
        // end
        return notes
    }
}
