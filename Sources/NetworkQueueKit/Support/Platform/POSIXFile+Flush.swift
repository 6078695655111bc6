import Foundation

extension POSIXFile {
    /// The calls that flush a file to the disk, the strongest first. Each returns 0, or -1 with `errno`.
    ///
    /// On Darwin `fsync` only moves the content to the drive, which may cache it and write it in another order. Only
    /// `F_FULLFSYNC` stores it on the disk. Some file systems, such as those of a server, do not support that.
    static var flushCalls: [(Int32) -> Int32] {
        #if canImport(Darwin)
            [{ fcntl($0, F_FULLFSYNC) }, { fsync($0) }]
        #else
            [{ fsync($0) }]
        #endif
    }

    /// Flushes everything on the volume of an open file; returns 0, or -1 with `errno`.
    static func flushVolume(_ descriptor: Int32) -> Int32 {
        #if canImport(Glibc)
            if let syncfs { return syncfs(descriptor) }
        #endif
        errno = ENOSYS
        return -1
    }

    /// Whether ``flushVolume(_:)`` puts all of the volume's files on the disk, and reports what could not be written
    /// since the file was opened.
    static func canFlushVolume(_ descriptor: Int32) -> Bool {
        #if canImport(Glibc)
            // Older kernels report nothing. An overlay or a FUSE file system does not pass the errors on, or not even
            // the call.
            let kernel = OperatingSystemVersion(majorVersion: 5, minorVersion: 8, patchVersion: 0)
            // A `statfs` begins with the type of the file system and is smaller than this.
            var status = [UInt](repeating: 0, count: 64)
            guard syncfs != nil, ProcessInfo.processInfo.isOperatingSystemAtLeast(kernel),
                fstatfs?(descriptor, &status) == 0
            else { return false }
            return wholeVolumes.contains(UInt32(truncatingIfNeeded: status[0]))
        #else
            return false
        #endif
    }

    #if canImport(Glibc)
        /// ext2 to ext4, XFS, Btrfs, F2FS and tmpfs (`statfs(2)`).
        private static let wholeVolumes: Set<UInt32> = [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x0102_1994]

        // Swift does not import these from the C library. The signatures are those of the manual pages.
        private static let syncfs = dlsym(nil, "syncfs").map {
            unsafeBitCast($0, to: (@convention(c) (Int32) -> Int32).self)
        }
        private static let fstatfs = dlsym(nil, "fstatfs").map {
            unsafeBitCast($0, to: (@convention(c) (Int32, UnsafeMutableRawPointer) -> Int32).self)
        }
    #endif

    /// Makes the system begin to flush a part of a file to the disk, if it supports that.
    static func beginFlush(of descriptor: Int32, from offset: Int64, count: Int64) {
        #if canImport(Glibc)
            // On Linux this begins to write dirty pages, and drops none of those.
            posix_fadvise(descriptor, off_t(offset), off_t(count), POSIX_FADV_DONTNEED)
        #endif
    }
}

/// The system calls that flush files to the disk. Tests replace them with calls that fail or wait.
final class FlushCalls: Sendable {
    /// The calls of the operating system.
    static let system = FlushCalls(
        flushFile: { POSIXFile.synchronize($0) ? 0 : errno },
        flushVolume: { POSIXFile.synchronize($0, calls: [POSIXFile.flushVolume]) ? 0 : errno },
        canFlushVolume: POSIXFile.canFlushVolume)

    /// Flushes a file. Returns 0 or an `errno` code.
    let flushFile: @Sendable (Int32) -> Int32
    /// Flushes the volume of an open file. Returns 0 or an `errno` code.
    let flushVolume: @Sendable (Int32) -> Int32
    /// See ``POSIXFile/canFlushVolume(_:)``.
    let canFlushVolume: @Sendable (Int32) -> Bool

    init(
        flushFile: @escaping @Sendable (Int32) -> Int32, flushVolume: @escaping @Sendable (Int32) -> Int32,
        canFlushVolume: @escaping @Sendable (Int32) -> Bool
    ) {
        self.flushFile = flushFile
        self.flushVolume = flushVolume
        self.canFlushVolume = canFlushVolume
    }
}
