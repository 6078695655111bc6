import Foundation
import NetworkQueueKit

enum ComingFromURLSessionSnippets {
    static func read(_ url: URL, into folder: URL) async throws -> (data: Data, file: URL?) {
        // snippet: calls
        let queue = RequestQueue()
        let data = try await queue.data(for: URLRequest(url: url))
        let file = try await queue.download(url, to: folder.appending(component: url.safeFileName)).fileURL
        for try await line in try await queue.lines(for: url) { print(line) }
        // end
        return (data, file)
    }
}
