import Foundation
import NetworkQueueKit
import NetworkQueueTesting

/// The code under test: it retries once, after five seconds.
private struct Greeter {
    let queue: RequestQueue

    func greeting() async throws -> String {
        guard let url = URL(webAddress: "https://greetings.example/today") else { return "" }
        var request = NetworkRequest(url)
        request.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.seconds(5)))
        return String(decoding: try await queue.data(for: request), as: UTF8.self)
    }
}

enum TestsWithoutNetwork: Example {
    static let subject = "tests without a network, and without waiting"

    static func run(_ site: Site) async throws {
        let transport = ScriptedTransport()
        let clock = ManualClock()
        let greeter = Greeter(queue: RequestQueue(transport: transport, clock: clock))
        let greeting = Task { try await greeter.greeting() }

        let first = await transport.exchange(0)
        try check(first.exchange.url.host() == "greetings.example", "the right server is asked")
        first.answer(.fail(.timedOut))
        await clock.waitForScheduledCalls(1)
        clock.advance(by: .seconds(5))
        await transport.exchange(1).answer(.ok(Data("Hello".utf8)))
        try check(try await greeting.value == "Hello", "the second answer counts")
        try check(site.server.requests.isEmpty, "no server was asked")
    }
}
