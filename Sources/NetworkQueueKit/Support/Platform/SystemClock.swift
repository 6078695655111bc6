import Foundation

/// The system's monotonic clocks, which Darwin and Linux name differently.
enum SystemClock {
    #if canImport(Darwin)
        /// Goes on while the system sleeps.
        static let continuous = CLOCK_MONOTONIC_RAW
        /// Stands still while the system sleeps.
        static let awake = CLOCK_UPTIME_RAW
    #else
        /// Goes on while the system sleeps.
        static let continuous = CLOCK_BOOTTIME
        /// Stands still while the system sleeps.
        static let awake = CLOCK_MONOTONIC
    #endif
}
