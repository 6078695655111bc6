import Foundation

/// How long to wait before a retry. A value.
///
/// | | retry 1 | retry 2 | retry n |
/// |---|---|---|---|
/// | `.constant(d)` | d | d | d |
/// | `.exponential(base: b, factor: f, maximum: m)` | 0 ..< b | 0 ..< min(b · f, m) | 0 ..< min(b · fⁿ⁻¹, m) |
/// | `.table([a, b, c])` | 0 ..< a | 0 ..< b | 0 ..< c from the third on |
///
/// Where there is a range, the delay is drawn from it uniformly (“full jitter”): clients that failed together must not
/// come back together.
public struct Backoff: Sendable, Hashable {
    private enum Rule: Sendable, Hashable {
        case constant(Duration)
        case exponential(base: Duration, factor: Double, maximum: Duration)
        case table([Duration])
    }

    private let rule: Rule

    /// The same delay each time, exactly.
    public static func constant(_ delay: Duration) -> Backoff {
        Backoff(rule: .constant(max(delay, .zero)))
    }

    /// Ceilings that grow by `factor`, up to `maximum`. Default: 500 ms, doubling, up to 60 s.
    public static func exponential(
        base: Duration = .milliseconds(500), factor: Double = 2, maximum: Duration = .seconds(60)
    ) -> Backoff {
        Backoff(rule: .exponential(base: max(base, .zero), factor: max(factor, 1), maximum: max(maximum, .zero)))
    }

    /// The given ceilings, one a retry; the last one serves all further retries. An empty table means no delay.
    public static func table(_ ceilings: [Duration]) -> Backoff {
        Backoff(rule: .table(ceilings.map { max($0, .zero) }))
    }

    /// The longest delay before retry number `retry`, counted from 1.
    public func ceiling(forRetry retry: Int) -> Duration {
        let index = max(retry, 1) - 1
        switch rule {
        case .constant(let delay):
            return delay
        case .exponential(let base, let factor, let maximum):
            // In floating point, where a number too large is infinite and no error.
            let seconds = base.seconds * pow(factor, Double(index))
            return seconds < maximum.seconds ? .seconds(seconds) : maximum
        case .table(let ceilings):
            return ceilings.isEmpty ? .zero : ceilings[min(index, ceilings.count - 1)]
        }
    }

    /// A delay before retry number `retry`, counted from 1.
    public func delay(forRetry retry: Int) -> Duration {
        var generator = SystemRandomNumberGenerator()
        return delay(forRetry: retry, using: &generator)
    }

    /// A delay before retry number `retry`, counted from 1, drawn with a generator of yours.
    public func delay(forRetry retry: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        let ceiling = ceiling(forRetry: retry)
        if case .constant = rule { return ceiling }
        return ceiling * Double.random(in: 0..<1, using: &generator)
    }

    /// A delay between `minimum` and `maximum`. The range goes to twice the minimum at least, so there is always jitter.
    func delay(forRetry retry: Int, from minimum: Duration, to maximum: Duration) -> Duration {
        let ceiling = min(ceiling(forRetry: retry), maximum)
        if case .constant = rule { return max(ceiling, minimum) }
        return minimum + (max(ceiling, minimum * 2) - minimum) * Double.random(in: 0..<1)
    }
}
