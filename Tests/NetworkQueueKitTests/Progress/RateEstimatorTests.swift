import Testing

@testable import NetworkQueueKit

struct RateEstimatorTests {
    private var estimator = RateEstimator()

    /// Records a steady flow of `rate` bytes per second, in steps of 100 ms, over whole seconds.
    private mutating func flow(_ rate: Int64, from start: Int64, to end: Int64, base: Int64 = 0) {
        for tenth in (start * 10)...(end * 10) {
            estimator.record(base + rate * (tenth - start * 10) / 10, at: .milliseconds(tenth * 100))
        }
    }

    private func rate(at now: Duration) -> Double { estimator.bytesPerSecond(at: now) ?? -1 }

    @Test
    mutating func `There is no rate in the first half second, and the true one right after it`() {
        flow(1000, from: 0, to: 1)
        #expect(estimator.bytesPerSecond(at: .milliseconds(499)) == nil)
        #expect(abs(rate(at: .seconds(1)) - 1000) < 1e-6)
    }

    @Test
    mutating func `The wait for the first byte does not lower the rate`() {
        flow(0, from: 0, to: 30)
        flow(1000, from: 30, to: 31)
        #expect(abs(rate(at: .seconds(31)) - 1000) < 1e-6)
    }

    @Test
    mutating func `The interval between samples does not matter to the rate`() {
        var now = 0
        for step in [1, 700, 2, 1300, 5, 40, 4000, 90, 10_000] {
            now += step
            estimator.record(Int64(now) * 5, at: .milliseconds(now))
        }
        #expect(abs(rate(at: .milliseconds(now)) - 5000) < 1e-6)
    }

    @Test
    mutating func `The old speed counts about a third after ten seconds of a new one`() {
        flow(1000, from: 0, to: 60)
        flow(2000, from: 60, to: 70, base: 60_000)
        #expect(abs(rate(at: .seconds(70)) - 1632) < 5)
    }

    @Test
    mutating func `Bytes at one and the same moment count in the next interval`() {
        estimator.record(0, at: .seconds(1))
        for total in 1...1000 { estimator.record(Int64(total), at: .seconds(1)) }
        #expect(estimator.bytesPerSecond(at: .seconds(1)) == nil)
        estimator.record(1000, at: .seconds(2))
        #expect(abs(rate(at: .seconds(2)) - 1000) < 1e-6)
    }

    @Test
    mutating func `A clock that goes back makes neither a negative rate nor an infinite one`() {
        flow(1000, from: 0, to: 2)
        estimator.record(3000, at: .seconds(1))
        #expect(rate(at: .seconds(1)) > 0)
        estimator.record(3000, at: .seconds(3))
        #expect(abs(rate(at: .seconds(3)) - 1000) < 1e-6)
    }

    @Test
    mutating func `The rate decays on a stall, whether or not the stall is recorded`() {
        flow(1000, from: 0, to: 60)
        let unrecorded = rate(at: .seconds(70))
        #expect(abs(unrecorded - 368) < 2)
        for second in 61...70 { estimator.record(60_000, at: .seconds(second)) }
        #expect(abs(rate(at: .seconds(70)) - unrecorded) < 1e-6)
    }

    @Test
    mutating func `The rate is nil after a long stall, and the next byte starts all over`() {
        flow(1_000_000, from: 0, to: 10)
        #expect(estimator.bytesPerSecond(at: .milliseconds(69_900)) != nil)
        #expect(estimator.bytesPerSecond(at: .seconds(70)) == nil)
        flow(0, from: 11, to: 100, base: 10_000_000)
        #expect(estimator.bytesPerSecond(at: .seconds(100)) == nil)
        flow(500, from: 100, to: 101, base: 10_000_000)
        #expect(abs(rate(at: .seconds(101)) - 500) < 1e-6)
    }

    @Test
    mutating func `The time remaining is the missing bytes divided by the rate`() {
        flow(1000, from: 0, to: 10)
        let remaining = estimator.timeRemaining(for: 60_000, at: .seconds(10))
        #expect(abs((remaining?.seconds ?? 0) - 60) < 1e-6)
        #expect(estimator.timeRemaining(for: 0, at: .seconds(10)) == nil)
        #expect(estimator.timeRemaining(for: 60_000, at: .seconds(90)) == nil)
    }

    @Test
    mutating func `Three seconds after the last byte there is a rate and no time remaining`() {
        flow(1000, from: 0, to: 10)
        #expect(estimator.timeRemaining(for: 60_000, at: .milliseconds(12_999)) != nil)
        #expect(estimator.timeRemaining(for: 60_000, at: .seconds(13)) == nil)
        #expect(estimator.bytesPerSecond(at: .seconds(13)) != nil)
        flow(0, from: 13, to: 14, base: 10_000)
        #expect(estimator.timeRemaining(for: 60_000, at: .seconds(14)) == nil)
        estimator.record(10_100, at: .milliseconds(14_100))
        #expect(estimator.timeRemaining(for: 60_000, at: .milliseconds(14_100)) != nil)
    }

    @Test
    mutating func `A time remaining of more than 100 days is not told`() {
        flow(1000, from: 0, to: 10)
        #expect(estimator.timeRemaining(for: 1000 * 86_400 * 99, at: .seconds(10)) != nil)
        #expect(estimator.timeRemaining(for: 1000 * 86_400 * 101, at: .seconds(10)) == nil)
        #expect(estimator.timeRemaining(for: .infinity, at: .seconds(10)) == nil)
        #expect(estimator.timeRemaining(for: .nan, at: .seconds(10)) == nil)
    }

    @Test
    mutating func `No sample makes the rate negative, infinite or NaN`() {
        let totals: [Int64] = [0, .max, .min, 1, .max, 0, .max]
        for (step, total) in totals.enumerated() {
            for wait in [Duration.zero, .nanoseconds(1), .milliseconds(1), .seconds(1 << 40)] {
                let now = Duration.seconds(Int64(step) << 42) + wait
                estimator.record(total, at: now)
                for later in [Duration.zero, .seconds(1), .seconds(1 << 50)] {
                    guard let rate = estimator.bytesPerSecond(at: now + later) else { continue }
                    #expect(rate.isFinite && rate >= 1)
                }
            }
        }
    }
}
