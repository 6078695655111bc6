import Foundation

/// The folders that a job creates; those that stay empty are removed again.
struct NewFolders: Sendable {
    private var paths: Set<String> = []
    /// The folders that have been checked, whether or not they existed.
    private var seen: Set<String> = []
    private var latest = ""

    var isEmpty: Bool { paths.isEmpty }

    /// Records which of the folders needed by the file at `path` do not exist yet.
    mutating func note(_ path: String) {
        // Most files are in the same folder as their predecessor.
        guard let end = path.utf8.lastIndex(of: UInt8(ascii: "/")), path[...end] != latest else { return }
        latest = String(path[...end])
        var folder = Self.standardized(latest)
        while folder != "/", seen.insert(folder).inserted, !SystemFile.exists(folder) {
            paths.insert(folder)
            let parent = folder.utf8.dropLast().lastIndex(of: UInt8(ascii: "/")) ?? folder.startIndex
            folder = String(folder[...parent])
        }
    }

    /// The absolute path of a folder without `.` and `..`. Checks first whether Foundation's slow parsing is needed.
    private static func standardized(_ folder: String) -> String {
        if folder.hasPrefix("/"), !folder.contains("/."), !folder.contains("//") { return folder }
        return URL(filePath: folder, directoryHint: .isDirectory).standardizedFileURL.path(percentEncoded: false)
    }

    /// Creates a folder with all its parents; returns the reason if that fails.
    static func create(_ path: String) -> String? {
        let parts = path.split(separator: "/")
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
        for path in paths.sorted(by: { $0.utf8.count > $1.utf8.count }) { rmdir(path) }
    }
}
