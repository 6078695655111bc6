import NetworkQueueKit
import TestSupport
import Testing

struct BackoffTests {
    @Test("A constant backoff waits exactly its delay, however often")
    func constant() {
        let backoff = Backoff.constant(.seconds(5))
        #expect((1...100).allSatisfy { backoff.delay(forRetry: $0) == .seconds(5) })
    }

    @Test("An exponential backoff doubles its ceiling up to the maximum")
    func exponential() {
        let backoff = Backoff.exponential(base: .seconds(1), maximum: .seconds(60))
        #expect((1...8).map { backoff.ceiling(forRetry: $0) } == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        #expect(backoff.ceiling(forRetry: .max) == .seconds(60))
    }

    @Test("A table is used entry by entry, the last for all further retries")
    func table() {
        let backoff = Backoff.table([1, 3, 60, 3600, 21600].map { .seconds($0) })
        #expect(
            (1...7).map { backoff.ceiling(forRetry: $0) } == [1, 3, 60, 3600, 21600, 21600, 21600].map { .seconds($0) })
        #expect(Backoff.table([]).delay(forRetry: 1) == .zero)
    }

    @Test("Full jitter draws uniformly from zero up to the ceiling", arguments: [1, 2, 3])
    func jitter(retry: Int) {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SplitMix64(seed: seed)
        let backoff = Backoff.table([.seconds(1), .seconds(3), .seconds(60)])
        let ceiling = backoff.ceiling(forRetry: retry)
        var buckets = [Int](repeating: 0, count: 20)
        for _ in 0..<10_000 {
            let delay = backoff.delay(forRetry: retry, using: &generator)
            guard delay >= .zero, delay < ceiling else {
                Issue.record("\(delay) of \(ceiling), seed \(seed)")
                return
            }
            buckets[Int(delay / ceiling * 20)] += 1
        }
        let chiSquare = buckets.reduce(0) { $0 + (Double($1) - 500) * (Double($1) - 500) / 500 }
        // 19 degrees of freedom: above 60 once in 300,000 runs of an even distribution.
        #expect(chiSquare < 60, "seed \(seed), \(buckets)")
    }

    @Test("Nonsense is taken for the nearest sense")
    func nonsense() {
        #expect(Backoff.constant(.seconds(-1)).delay(forRetry: 1) == .zero)
        #expect(Backoff.table([.seconds(1)]).ceiling(forRetry: -3) == .seconds(1))
        #expect(Backoff.exponential(base: .seconds(1), factor: 0.1).ceiling(forRetry: 9) == .seconds(1))
    }
}
