import Foundation

/// The processor time that the calling thread takes: what a time limit can be asserted of, whatever else the machine
/// does.
package struct ThreadClock {
    private let start = Self.now

    package init() {}

    package var elapsed: Duration { Self.now - start }

    private static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
