import Foundation

/// How many descriptors of this process are open on a file; 0 where the system does not tell.
package func openDescriptors(of file: URL) -> Int {
    let folder = "/proc/self/fd"
    let path = file.resolvingSymlinksInPath().path(percentEncoded: false)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.count { (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path }
}

/// Sets the modification time of a file in seconds since 1970.
package func touch(_ file: URL, at seconds: Int) throws {
    let time = timespec(tv_sec: seconds, tv_nsec: 0)
    try setTimes(file, time)
}

/// Gives a file the modification time of another.
package func touch(_ file: URL, as other: URL) throws {
    var status = stat()
    guard stat(other.path(percentEncoded: false), &status) == 0 else { throw POSIXError(.ENOENT) }
    #if canImport(Darwin)
        try setTimes(file, status.st_mtimespec)
    #else
        try setTimes(file, status.st_mtim)
    #endif
}

private func setTimes(_ file: URL, _ time: timespec) throws {
    let times = [time, time]
    guard utimensat(AT_FDCWD, file.path(percentEncoded: false), times, 0) == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
}
