import Foundation

extension Duration {
    /// What a clock of the system shows.
    ///
    /// `ContinuousClock` takes three times as long for it, and every request asks several times.
    static func time(of clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
