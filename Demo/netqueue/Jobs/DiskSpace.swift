import NetworkQueueKit

/// Finds out whether a batch fits on the disk: before the first transfer, and if sizes become known later, once more.
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

    /// What the files of a plan need on a disk that has too little space for them; `nil` if they fit, as far as sizes are
    /// known.
    ///
    /// - Parameter size: The total size of the files, if a list gives each.
    func shortage(_ plan: NetworkQueue.Plan, size: Int64? = nil) -> NetworkQueue.Plan.Volume? {
        guard let shortage = plan.volumes.first(where: \.isTooSmall) ?? shortageOfList(plan, size) else { return nil }
        settled.withLock { $0 = true }
        return shortage
    }

    /// What a list needs that has all sizes, but of which the plan has only the beginning.
    private func shortageOfList(_ plan: NetworkQueue.Plan, _ size: Int64?) -> NetworkQueue.Plan.Volume? {
        guard !plan.isComplete, let size, let free = free(folder), size > free else { return nil }
        let volume = NetworkQueue.Plan.Volume(path: folder, neededBytes: size - bytesThere(), freeBytes: free)
        return volume.isTooSmall ? volume : nil
    }

    /// The message if the space is too small; `nil` if it suffices, has been checked before, or cannot be checked yet
    /// because sizes are missing.
    func complaint(_ progress: NetworkQueue.Progress) -> String? {
        guard let expected = size ?? Self.size(progress),
            settled.withLock({ settled in
                defer { settled = true }
                return !settled
            }), let free = free(folder), expected > free
        else { return nil }
        let volume = NetworkQueue.Plan.Volume(path: folder, neededBytes: expected - bytesThere(), freeBytes: free)
        return volume.isTooSmall ? "netqueue: \(DiskNeed(volume).text)" : nil
    }

    private static func size(_ progress: NetworkQueue.Progress) -> Int64? {
        let isKnown = progress.phase == .transferring && progress.sizing == nil && !progress.download.isEstimated
        return isKnown ? progress.download.expected : nil
    }
}
