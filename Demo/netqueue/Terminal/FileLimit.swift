import Foundation

/// The limit for open files.
enum FileLimit {
    /// Raises it to what the system allows this process.
    ///
    /// Many requests at a time need many files and connections; where there are too few, the library lets requests
    /// wait.
    static func raise() {
        var limits = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limits) == 0, let raised = raised(limits, ceiling: ceiling) else { return }
        limits.rlim_cur = raised
        _ = setrlimit(resource, &limits)
    }

    /// The soft limit to set; `nil` if that would not be a higher one.
    ///
    /// - Parameter ceiling: what the system takes at most, whatever the hard limit says.
    static func raised(_ limits: rlimit, ceiling: rlim_t) -> rlim_t? {
        let raised = min(limits.rlim_max, ceiling)
        return raised > limits.rlim_cur ? raised : nil
    }

    #if canImport(Darwin)
        // macOS refuses more than this.
        private static let ceiling = rlim_t(OPEN_MAX)
    #else
        private static let ceiling = rlim_t.max
    #endif
}
