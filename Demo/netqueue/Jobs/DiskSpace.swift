import Dashboard
import NetworkQueueKit

/// Reports once, as soon as all sizes are known, that a batch does not fit on the disk.
final class DiskSpace: Sendable {
    private let folder: String
    private let size: Int64?
    private let bytesThere: @Sendable () -> Int64
    private let free: @Sendable (_ folder: String) -> Int64?
    private let settled = Locked(false)

    /// - Parameters:
    ///   - folder: The folder for the files.
    ///   - size: The total size of the files, if it is known in advance.
    ///   - free: The free bytes on the disk of a folder; `nil` if they are unknown.
    ///   - bytesThere: The number of their bytes that are already on the disk.
    init(
        _ folder: String, size: Int64? = nil,
        free: @escaping @Sendable (_ folder: String) -> Int64? = { POSIXFile.freeBytes($0) },
        bytesThere: @escaping @Sendable () -> Int64
    ) {
        self.folder = folder
        self.size = size
        self.free = free
        self.bytesThere = bytesThere
    }

    /// Whether the space has been checked.
    var isSettled: Bool { settled.withLock { $0 } }

    /// The message if the space is too small; `nil` if it suffices, has been checked before, or cannot be checked yet
    /// because sizes are missing.
    func complaint(_ progress: NetworkQueue.Progress) -> String? {
        guard let expected = size ?? Self.size(progress),
            settled.withLock({ settled in
                defer { settled = true }
                return !settled
            }), let free = free(folder), expected > free
        else { return nil }
        let needed = expected - bytesThere()
        guard needed > free else { return nil }
        return "netqueue: not enough disk space: the files need \(ByteCount.text(needed)), and \(folder) has "
            + "\(ByteCount.text(free)) free"
    }

    private static func size(_ progress: NetworkQueue.Progress) -> Int64? {
        let isKnown = progress.phase == .transferring && progress.sizing == nil && !progress.download.isEstimated
        return isKnown ? progress.download.expected : nil
    }
}
