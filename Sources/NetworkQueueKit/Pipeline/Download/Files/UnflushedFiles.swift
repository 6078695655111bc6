import Dispatch
import Foundation

/// The files of a queue that have their names and will be flushed to the disk together.
///
/// Up to ``maximumFileCount`` files of a volume are flushed one by one, which does not wait for what other programs have
/// written. More are flushed with their volume as a whole. If its file system does not report the errors of that, no
/// more files are taken.
final class UnflushedFiles: Sendable {
    /// Both ways take a few milliseconds for 16 files. 10,000 files of 10 KB take 0.2 s with their volume, and 6 s one
    /// by one (ext4).
    static let maximumFileCount = 16
    /// The size of the largest file that is taken.
    static let maximumSize: Int64 = 1 << 20
    /// The number of folders whose volumes are remembered.
    private static let maximumFolderCount = 1024

    private struct State {
        /// The files to flush, by the devices of their volumes.
        var groups: [UInt64: Group] = [:]
        var volumes: [UInt64: Volume] = [:]
        /// The volumes of folders. Without this, each file would cost a system call.
        var volumesOfFolders: [ByteText: Volume] = [:]

        /// The volume, unless it can take no more files.
        func room(on volume: Volume) -> Volume? {
            let count = groups[volume.device]?.files.count ?? 0
            return volume.isFlushedWhole || count < UnflushedFiles.maximumFileCount ? volume : nil
        }
    }

    let calls: FlushCalls
    private let state = Guarded(State())

    init(calls: FlushCalls = .system) {
        self.calls = calls
    }

    var isEmpty: Bool { state.withLock { $0.groups.isEmpty } }

    /// The volume of a folder, if a file that is about to be written there can be flushed later.
    func volume(of folder: String) -> Volume? {
        let key = ByteText(folder)
        if let known = state.withLock({ state in state.volumesOfFolders[key].map { state.room(on: $0) } }) {
            return known
        }
        guard let new = Volume(folder, calls) else { return nil }
        return state.withLock { state in
            if state.volumesOfFolders.count >= Self.maximumFolderCount { state.volumesOfFolders = [:] }
            let volume = state.volumes[new.device] ?? new
            state.volumes[new.device] = volume
            state.volumesOfFolders[key] = volume
            return state.room(on: volume)
        }
    }

    /// Takes a file that has its name in `folder` now.
    func add(_ descriptor: Int32, in folder: String, on volume: Volume) {
        let surplus = state.withLock { $0.groups[volume.device, default: Group(volume)].add(descriptor, in: folder) }
        // Closes files outside the lock.
        withExtendedLifetime(surplus) {}
    }

    /// Closes the volumes on which nothing is to be flushed.
    func closeVolumes() {
        state.withLock { state in
            state.volumes = [:]
            state.volumesOfFolders = [:]
        }
    }

    /// Flushes the files on a thread of its own, since that may take as long as the disk is slow. Calls `body` there
    /// with an error for each volume that failed.
    func flushLater(_ body: @escaping @Sendable ([NetworkError]) -> Void) {
        DispatchQueue(label: "NetworkQueueKit.flush").async { [self] in body(flush()) }
    }

    private func flush() -> [NetworkError] {
        let groups = state.withLock { state in
            defer { state = State() }
            return state.groups.values
        }
        return groups.compactMap { group in
            let code = group.flush(calls)
            return code == 0 ? nil : .fileSystem(code, path: group.volume.folder)
        }
    }

    /// A file system with files that are flushed later.
    final class Volume: Sendable {
        /// The first folder on it.
        let folder: String
        let device: UInt64
        let isFlushedWhole: Bool
        /// Opened before the first write and kept, because `syncfs` reports the errors since then.
        let descriptor: Descriptor

        fileprivate init?(_ folder: String, _ calls: FlushCalls) {
            guard let descriptor = Descriptor(POSIXFile.open(folder, O_RDONLY | O_DIRECTORY)),
                let status = POSIXFile.status(descriptor.number)
            else { return nil }
            self.folder = folder
            self.descriptor = descriptor
            device = status.identity.device
            isFlushedWhole = calls.canFlushVolume(descriptor.number)
        }
    }

    /// The files of one volume.
    private struct Group {
        let volume: Volume
        var files: [Descriptor] = []
        var folders: Set<ByteText> = []
        /// Whether there are too many files to flush them one by one.
        var isWhole = false

        init(_ volume: Volume) { self.volume = volume }

        /// Takes a file. Returns those that need not stay open any more.
        mutating func add(_ descriptor: Int32, in folder: String) -> [Descriptor] {
            guard !isWhole else { return [] }
            if !volume.isFlushedWhole || files.count < UnflushedFiles.maximumFileCount,
                let file = Descriptor(copying: descriptor)
            {
                files.append(file)
                folders.insert(ByteText(folder))
                return []
            }
            isWhole = true
            defer { files = [] }
            return files
        }

        /// Returns 0 or an `errno` code.
        func flush(_ calls: FlushCalls) -> Int32 {
            if isWhole { return calls.flushVolume(volume.descriptor.number) }
            let code = Guarded<Int32>(0)
            DispatchQueue.concurrentPerform(iterations: files.count) { index in
                let outcome = calls.flushFile(files[index].number)
                if outcome != 0 { code.withLock { $0 = outcome } }
            }
            for folder in folders { POSIXFile.synchronize(folder: folder.text) }
            return code.withLock { $0 }
        }
    }
}
