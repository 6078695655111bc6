import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// Durations and numbers that no server, record or program needs, but that may come all the same.
enum Extremes {
    /// The longest and the shortest `Duration` there is, which no initializer takes but a record may hold.
    static func duration(_ high: Int64, _ low: UInt64) -> Duration {
        let text = "[\(high),\(low)]"
        return (try? JSONDecoder().decode(Duration.self, from: Data(text.utf8))) ?? .zero
    }

    static let durations: [Duration] = [
        duration(.max, .max), duration(.min, 0), .seconds(Int64.max), .seconds(Int64.min), .seconds(-1), .zero,
        .nanoseconds(1),
    ]
    static let numbers: [Int64] = [.max, .max - 1, .min, .min + 1, -1, 0, 1, 1 << 53]
    static let seconds: [Double] = [.nan, .infinity, -.infinity, 1e300, -1e300, -0.0, .leastNonzeroMagnitude]
}

@Suite(.timeLimit(.minutes(10)))
struct DurationBoundsTests {
    @Test(arguments: Extremes.durations) func `A bounded duration can be added, converted and scheduled`(
        duration: Duration
    ) {
        let bounded = duration.bounded
        #expect(bounded <= .longest && bounded + .longest >= .zero && bounded + bounded <= .longest * 2)
        #expect(abs(duration.seconds) <= 1e9 && duration.wholeMilliseconds <= Int(Int32.max))
        if duration > .longest, case .never = duration.dispatchInterval {} else { #expect(duration <= .longest) }
        if duration >= .zero, duration <= .longest { #expect(bounded == duration) }
    }

    @Test(arguments: Extremes.seconds) func `Any number of seconds is a bounded duration`(seconds: Double) {
        #expect(abs(Duration.bounded(seconds: seconds).seconds) <= 1e9)
        #expect(Duration.bounded(seconds: .nan) == .zero && Duration.bounded(seconds: .infinity) == .longest)
    }

    @Test(arguments: Extremes.durations, Extremes.durations)
    func `A backoff of extreme durations gives delays that a clock can wait for`(base: Duration, maximum: Duration)
        throws
    {
        for factor in Extremes.seconds + [1, 2, 1e300] {
            let rules: [Backoff] = [
                .constant(base), .exponential(base: base, factor: factor, maximum: maximum), .table([base, maximum]),
            ]
            for rule in rules {
                for retry in [.min, -1, 0, 1, 2, 1_000_000, .max] {
                    #expect((.zero ... .longest).contains(rule.delay(forRetry: retry)))
                }
                var policy = RetryPolicy(maxRetries: .max, backoff: rule)
                policy.outageTolerance = maximum
                policy.maxRetryAfter = base
                #expect(policy.delay(afterUnreached: .max, inOutageOf: .zero) ?? .zero <= .longest)
                #expect(policy.obeyed(.seconds(1)) ?? .zero <= .seconds(1))
            }
        }
    }

    @Test func `A backoff that is read has the bounds of one that is made`() throws {
        let minimum = "[\(Int64.min),0]"
        let text = #"{"rule":{"exponential":{"base":\#(minimum),"factor":1e308,"maximum":\#(minimum)}}}"#
        let backoff = try JSONDecoder().decode(Backoff.self, from: Data(text.utf8))
        #expect(backoff.ceiling(forRetry: 3) == .zero)
        let usual = Backoff.table([.seconds(1), .seconds(2)])
        #expect(try JSONDecoder().decode(Backoff.self, from: JSONEncoder().encode(usual)) == usual)
    }

    @Test(arguments: Extremes.durations) func `A manual clock can be advanced by any duration`(duration: Duration) async
    {
        let clock = ManualClock()
        for _ in 0..<3 { clock.advance(by: duration) }
        let isCalled = Guarded(false)
        _ = clock.schedule(after: duration) { isCalled.withLock { $0 = true } }
        clock.advance(by: .seconds(Int64.max))
        #expect(await eventually { isCalled.withLock { $0 } })
    }

    @Test(arguments: Extremes.numbers, Extremes.numbers)
    func `A saturated sum is the nearest number to the sum`(first: Int64, second: Int64) {
        let sum = Int128(first) + Int128(second)
        #expect(first.addingSaturated(second) == Int64(clamping: sum))
    }
}
