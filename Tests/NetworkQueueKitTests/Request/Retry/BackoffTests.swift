import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

struct BackoffTests {
    @Test
    func `A constant backoff waits exactly its delay, however often`() {
        let backoff = Backoff.constant(.seconds(5))
        #expect((1...100).allSatisfy { backoff.delay(forRetry: $0) == .seconds(5) })
    }

    @Test
    func `An exponential backoff doubles its ceiling up to the maximum`() {
        let backoff = Backoff.exponential(base: .seconds(1), maximum: .seconds(60))
        #expect((1...8).map { backoff.ceiling(forRetry: $0) } == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        #expect(backoff.ceiling(forRetry: .max) == .seconds(60))
    }

    @Test
    func `A table is used entry by entry, the last for all further retries`() {
        let backoff = Backoff.table([1, 3, 60, 3600, 21600].map { .seconds($0) })
        #expect(
            (1...7).map { backoff.ceiling(forRetry: $0) } == [1, 3, 60, 3600, 21600, 21600, 21600].map { .seconds($0) })
        #expect(Backoff.table([]).delay(forRetry: 1) == .zero)
    }

    @Test(arguments: 1...7)
    func `Full jitter draws uniformly from zero up to the ceiling`(retry: Int) {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("backoff jitter, retry \(retry): seed \(seed)")
        var generator = SplitMix64(seed: seed)
        let backoff = Backoff.table([1, 3, 60, 3600, 21600].map { .seconds($0) })
        let ceiling = backoff.ceiling(forRetry: retry)
        var bins = [Int](repeating: 0, count: 100)
        for _ in 0..<10_000 {
            let delay = backoff.delay(forRetry: retry, using: &generator)
            guard delay >= .zero, delay < ceiling else {
                Issue.record("\(delay) of \(ceiling), seed \(seed)")
                return
            }
            bins[Int(delay / ceiling * 100)] += 1
        }
        let chiSquare = bins.reduce(0) { $0 + (Double($1) - 100) * (Double($1) - 100) / 100 }
        // 99 degrees of freedom: an even distribution is above 189.9 once in ten million times.
        #expect(chiSquare < 189.9, "seed \(seed), \(bins)")
    }

    @Test
    func `A draw at the very end of the range stays below the ceiling`() {
        struct Greatest: RandomNumberGenerator {
            mutating func next() -> UInt64 { .max }
        }
        var generator = Greatest()
        for ceiling in [Duration.nanoseconds(1), .milliseconds(1), .seconds(1), .seconds(21600), .seconds(1e9)] {
            let delay = Backoff.table([ceiling]).delay(forRetry: 1, using: &generator)
            #expect(delay < ceiling && delay > ceiling * 0.99)
        }
    }

    @Test
    func `A delay with bounds is a constant within them, or drawn up to at least twice the lower one`() {
        let (minimum, maximum) = (Duration.milliseconds(500), Duration.seconds(10))
        let constants = [0, 3, 20].map {
            Backoff.constant(.seconds($0)).delay(forRetry: 1, from: minimum, to: maximum)
        }
        #expect(constants == [minimum, .seconds(3), maximum])
        for (ceiling, end) in [
            (Duration.zero, Duration.seconds(1)), (.seconds(4), .seconds(4)), (.seconds(60), maximum),
        ] {
            let delays = (0..<1000).map { _ in
                Backoff.table([ceiling]).delay(forRetry: 1, from: minimum, to: maximum)
            }
            #expect(delays.allSatisfy { $0 >= minimum && $0 < end })
            // A thousand draws miss a twentieth of the range less than once in 10²² times.
            #expect((delays.min() ?? end) < minimum + (end - minimum) * 0.05)
            #expect((delays.max() ?? .zero) > end - (end - minimum) * 0.05)
        }
    }

    @Test
    func `A nonsensical backoff is taken for the nearest sensible one`() {
        #expect(Backoff.constant(.seconds(-1)).delay(forRetry: 1) == .zero)
        #expect(Backoff.table([.seconds(1)]).ceiling(forRetry: -3) == .seconds(1))
        #expect(Backoff.exponential(base: .seconds(1), factor: 0.1).ceiling(forRetry: 9) == .seconds(1))
    }
}
