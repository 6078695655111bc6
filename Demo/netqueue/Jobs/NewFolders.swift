import Foundation
import NetworkQueueKit

/// The folders that a job creates; those that stay empty are removed again.
struct NewFolders: Sendable {
    private var paths: Set<ByteText> = []
    /// The folders that have been checked, whether or not they existed.
    private var seen: Set<ByteText> = []

    var isEmpty: Bool { paths.isEmpty }

    /// Records which of the folders needed by the file at `path` do not exist yet. Returns whether its own folder, as
    /// it is written, is one of them.
    mutating func note(_ path: String) -> Bool {
        guard let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return false }
        let own = String(path[...end])
        if !seen.contains(ByteText(own)) {
            var folder = Self.standardized(own)
            while folder != "/", seen.insert(ByteText(folder)).inserted, !SystemFile.exists(folder) {
                paths.insert(ByteText(folder))
                let parent = folder.utf8.dropLast().lastIndex(of: UInt8(ascii: "/")) ?? folder.startIndex
                folder = String(folder[...parent])
            }
            seen.insert(ByteText(own))
        }
        return paths.contains(ByteText(own))
    }

    /// The absolute path of a folder without `.` and `..`. Checks first whether Foundation's slow parsing is needed.
    private static func standardized(_ folder: String) -> String {
        let (slash, dot) = (UInt8(ascii: "/"), UInt8(ascii: "."))
        let pairs = zip(folder.utf8, folder.utf8.dropFirst())
        if folder.utf8.first == slash, pairs.allSatisfy({ $0 != slash || $1 != slash && $1 != dot }) { return folder }
        return URL(filePath: folder, directoryHint: .isDirectory).standardizedFileURL.path(percentEncoded: false)
    }

    /// Creates a folder with all its parents; returns the reason if that fails.
    static func create(_ path: String) -> String? {
        let parts = path.parts(separatedBy: "/").filter { !$0.isEmpty }
        for depth in parts.indices {
            let folder = "/" + parts[...depth].joined(separator: "/")
            guard mkdir(folder, 0o777) != 0 else { continue }
            let error = POSIXError.last
            // The folder may exist on a file system on which nothing can be created; otherwise a file is in the way.
            if SystemFile.isFolder(folder) { continue }
            return (error.code == .EEXIST ? POSIXError(.ENOTDIR) : error).reason
        }
        return nil
    }

    /// Removes the empty folders.
    func removeEmpty() {
        for path in paths.map(\.text).sorted(by: { $0.utf8.count > $1.utf8.count }) { rmdir(path) }
    }
}
