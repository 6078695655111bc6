import Foundation

/// What a process may have open.
enum DescriptorLimit {
    #if canImport(Glibc)
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        /// The folder that has a name for each open descriptor.
        static let folder = "/proc/self/fd"
    #else
        private static let resource = RLIMIT_NOFILE
        /// The folder that has a name for each open descriptor.
        static let folder = "/dev/fd"
    #endif

    /// The soft limit of this process; `nil` if it has none of its own.
    static var soft: Int? {
        var limits = rlimit()
        return getrlimit(resource, &limits) == 0 ? Int(clamping: limits.rlim_cur) : nil
    }
}
