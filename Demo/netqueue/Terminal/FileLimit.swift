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
        guard getrlimit(resource, &limits) == 0, limits.rlim_cur < limits.rlim_max else { return }
        #if canImport(Darwin)
            // macOS refuses more than this.
            limits.rlim_cur = min(limits.rlim_max, rlim_t(OPEN_MAX))
        #else
            limits.rlim_cur = limits.rlim_max
        #endif
        _ = setrlimit(resource, &limits)
    }
}
