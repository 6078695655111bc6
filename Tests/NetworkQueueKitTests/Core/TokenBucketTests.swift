import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

struct TokenBucketTests {
    private var bucket = TokenBucket()

    private func bucket(_ rate: Int?) -> TokenBucket {
        var bucket = TokenBucket()
        bucket.setRate(rate, now: .zero)
        return bucket
    }

    @Test func `Every exchange waits in the order of its portions, and a new one comes last`() {
        var bucket = bucket(1000)
        let marks = (0..<4).map { _ in bucket.charge(100, now: .zero) }
        #expect(marks.map { bucket.delay(until: $0, now: .zero) } == [100, 200, 300, 400].map { .milliseconds($0) })
        #expect(bucket.delay(until: bucket.charge(0, now: .zero), now: .zero) == .milliseconds(400))
    }

    @Test func `Idle time gives no credit, except to make up for a late timer`() {
        var bucket = bucket(1000)
        _ = bucket.charge(0, now: .seconds(3600))
        let mark = bucket.charge(1000, now: .seconds(3600))
        #expect(bucket.delay(until: mark, now: .seconds(3600)) == .seconds(1 - TokenBucket.slack))
    }

    @Test func `A new limit changes every wait`() {
        var bucket = bucket(1000)
        let marks = (0..<2).map { _ in bucket.charge(1000, now: .zero) }
        bucket.setRate(100, now: .milliseconds(500))
        #expect(marks.map { bucket.delay(until: $0, now: .milliseconds(500)) } == [.seconds(5), .seconds(15)])
        bucket.setRate(10_000, now: .milliseconds(500))
        #expect(
            marks.map { bucket.delay(until: $0, now: .milliseconds(500)) } == [.milliseconds(50), .milliseconds(150)])
        bucket.setRate(nil, now: .milliseconds(500))
        #expect(marks.allSatisfy { bucket.delay(until: $0, now: .milliseconds(500)) == .zero })
        // What was owed is forgotten.
        bucket.setRate(1000, now: .seconds(1))
        #expect(bucket.delay(until: bucket.charge(0, now: .seconds(1)), now: .seconds(1)) == .zero)
    }

    @Test func `A limit below zero is one byte per second, and time does not go back`() {
        var bucket = bucket(-5)
        let mark = bucket.charge(2, now: .seconds(1))
        #expect(bucket.delay(until: mark, now: .zero) > .seconds(1))
    }

    /// Exchanges of all kinds: some end early, some come late, and timers fire up to 10 ms late.
    @Test(arguments: [1, 4, 16, 100])
    func `The sum of all exchanges keeps to the limit within a few percent, and each gets a share`(count: Int) {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed", seed)
        var random = SplitMix64(seed: seed)
        let rate = 1_000_000
        let portion = rate / 100
        var bucket = bucket(rate)
        var moved = [Int](repeating: 0, count: count)
        var wakes = [(time: Duration, mark: Int64)](repeating: (.zero, 0), count: count)
        var now = Duration.zero
        while true {
            let next = wakes.indices.min { wakes[$0].time < wakes[$1].time }!
            guard wakes[next].time < .seconds(10) else { break }
            now = max(now, wakes[next].time)
            let delay = bucket.delay(until: wakes[next].mark, now: now)
            guard delay == .zero else {
                wakes[next].time = now + delay + .milliseconds(Int.random(in: 0...10, using: &random))
                continue
            }
            let bytes = Int.random(in: 1...portion, using: &random)
            moved[next] += bytes
            // One in ten ends, and another takes its place at the end of the line.
            let isEnd = Int.random(in: 0..<10, using: &random) == 0
            let mark = bucket.charge(bytes, now: now)
            wakes[next] = (now, isEnd ? bucket.charge(0, now: now) : mark)
        }
        let total = Double(moved.reduce(0, +))
        let tolerance = 0.02 + Double(count * portion) / Double(10 * rate)
        #expect(abs(total / Double(10 * rate) - 1) < tolerance, "\(total)")
        let share = total / Double(count)
        #expect(moved.allSatisfy { Double($0) > share / 2 && Double($0) < share * 2 })
    }
}
