import Foundation

/// The limit of open file descriptors.
package enum DescriptorLimit {
    #if canImport(Glibc)
        package static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        /// The folder with an entry for each open descriptor.
        static let folder = "/proc/self/fd"
    #else
        package static let resource = RLIMIT_NOFILE
        /// The folder with an entry for each open descriptor.
        static let folder = "/dev/fd"
    #endif

    /// The soft limit of this process; `nil` if the system does not give one.
    static var soft: Int? {
        var limits = rlimit()
        return getrlimit(resource, &limits) == 0 ? Int(clamping: limits.rlim_cur) : nil
    }
}
