import Foundation
import NetworkQueueKit

/// The limit on open files.
enum FileLimit {
    /// Raises the limit to the maximum that the system allows this process.
    ///
    /// Many concurrent requests need many files and connections. If there are too few descriptors, the library makes
    /// requests wait.
    static func raise() {
        var limits = rlimit()
        let resource = DescriptorLimit.resource
        guard getrlimit(resource, &limits) == 0, let raised = raised(limits, ceiling: ceiling) else { return }
        limits.rlim_cur = raised
        _ = setrlimit(resource, &limits)
    }

    /// The soft limit to set; `nil` if it would not be higher.
    ///
    /// - Parameter ceiling: The maximum that the system accepts, whatever the hard limit.
    static func raised(_ limits: rlimit, ceiling: rlim_t) -> rlim_t? {
        let raised = min(limits.rlim_max, ceiling)
        return raised > limits.rlim_cur ? raised : nil
    }

    #if canImport(Darwin)
        // macOS rejects a higher value.
        private static let ceiling = rlim_t(OPEN_MAX)
    #else
        private static let ceiling = rlim_t.max
    #endif
}
