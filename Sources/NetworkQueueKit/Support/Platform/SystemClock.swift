import Foundation

/// The system's monotonic clocks, which have different names on Darwin and Linux.
enum SystemClock {
    #if canImport(Darwin)
        /// Continues while the system sleeps.
        static let continuous = CLOCK_MONOTONIC_RAW
        /// Stops while the system sleeps.
        static let awake = CLOCK_UPTIME_RAW
    #else
        /// Continues while the system sleeps.
        static let continuous = CLOCK_BOOTTIME
        /// Stops while the system sleeps.
        static let awake = CLOCK_MONOTONIC
    #endif
}
