import Foundation
import NetworkQueueKit

private struct Entry: Decodable {
    let number: Int
}

enum JSONLines: Example {
    static let subject = "JSON Lines, read as they come"

    static func run(_ site: Site) async throws {
        let queue = RequestQueue()
        let decoder = JSONDecoder()
        var sum = 0
        let lines = try await queue.lines(for: site.url("/lines"))
        try check(lines.head.statusCode == 200, "the head is there first")
        for try await line in lines {
            sum += try decoder.decode(Entry.self, from: Data(line.utf8)).number
        }
        try check(sum == 500_500, "all lines have come")

        // Leaving the loop cancels the request.
        for try await line in try await queue.lines(for: site.url("/lines")) where line.contains("10") { break }
        await queue.waitUntilEmpty()
    }
}
