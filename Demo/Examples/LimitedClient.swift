import Foundation
import NetworkQueueKit

private struct Sum: Decodable {
    let sum: Int
}

/// A client of a service that limits its request rate.
private final class SumClient: Sendable {
    private let queue = RequestQueue()
    private let base: URL

    init(base: URL) {
        queue.maxConcurrentRequestCount = 8
        queue.maxConcurrentRequestCountPerHost = 2
        queue.headers = ["User-Agent": "sums/1.0", "Accept": "application/json"]
        // After a 429, other requests to this host also wait until the time that the server gives.
        queue.retryPolicy = RetryPolicy(maxRetries: 3, backoff: .exponential(base: .milliseconds(10)))
        self.base = base
    }

    func sum(of numbers: [Int]) async throws -> Int {
        let query = [URLQueryItem(name: "numbers", value: numbers.map(String.init).joined(separator: ","))]
        return try await queue.value(of: Sum.self, for: .get(base, query: query)).sum
    }
}

enum LimitedClient: Example {
    static let subject = "a client of a service that limits its callers"

    static func run(_ site: Site) async throws {
        let client = SumClient(base: site.url("/limited"))
        try check(try await client.sum(of: [20, 22]) == 42, "the second attempt is answered")
        let queries = site.server.requests.map { $0.query ?? "" }
        try check(queries == ["numbers=20%2C22", "numbers=20%2C22"], "there were two, not \(queries)")
        try check(site.server.requests.allSatisfy { $0.headers["User-Agent"] == "sums/1.0" }, "both say who asks")
    }
}
