import Dashboard
import NetworkQueueKit

/// Tells once, as soon as all sizes are known, where a batch does not fit on the disk.
final class DiskSpace: Sendable {
    private let folder: String
    private let size: Int64?
    private let bytesThere: @Sendable () -> Int64
    private let settled = Locked(false)

    /// - Parameters:
    ///   - folder: where the files go.
    ///   - size: that of all files, if it is known before they are sent.
    ///   - bytesThere: how many of their bytes are there already.
    init(_ folder: String, size: Int64? = nil, bytesThere: @escaping @Sendable () -> Int64) {
        self.folder = folder
        self.size = size
        self.bytesThere = bytesThere
    }

    /// Whether all that is to be said has been.
    var isSettled: Bool { settled.withLock { $0 } }

    /// What is to be said; `nil` where there is room, where it has been said, and while sizes are missing.
    func complaint(_ progress: NetworkQueue.Progress) -> String? {
        guard let expected = size ?? Self.size(progress),
            settled.withLock({ settled in
                defer { settled = true }
                return !settled
            }), let free = SystemFile.freeBytes(folder), expected > free
        else { return nil }
        let needed = expected - bytesThere()
        guard needed > free else { return nil }
        return "netqueue: the files need \(ByteCount.text(needed)), and \(folder) has room for \(ByteCount.text(free))"
    }

    private static func size(_ progress: NetworkQueue.Progress) -> Int64? {
        let isKnown = progress.phase == .transferring && progress.sizing == nil && !progress.download.isEstimated
        return isKnown ? progress.download.expected : nil
    }
}
