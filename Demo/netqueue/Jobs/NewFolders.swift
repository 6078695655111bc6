import Foundation

/// The folders that a job creates: those that it leaves empty are removed again.
struct NewFolders: Sendable {
    private var paths: Set<String> = []
    /// Those that are known, whether they were there or not.
    private var seen: Set<String> = []
    private var latest = ""

    var isEmpty: Bool { paths.isEmpty }

    /// Notes which of the folders that the file at `path` needs are not there yet.
    mutating func note(_ path: String) {
        // Most files have the folder of the one before them.
        guard let end = path.utf8.lastIndex(of: UInt8(ascii: "/")), path[...end] != latest else { return }
        latest = String(path[...end])
        var folder = Self.standardized(latest)
        while folder != "/", seen.insert(folder).inserted, !SystemFile.exists(folder) {
            paths.insert(folder)
            let parent = folder.utf8.dropLast().lastIndex(of: UInt8(ascii: "/")) ?? folder.startIndex
            folder = String(folder[...parent])
        }
    }

    /// The same folder from the root, without `.` and `..`. Foundation takes a path apart for that.
    private static func standardized(_ folder: String) -> String {
        if folder.hasPrefix("/"), !folder.contains("/."), !folder.contains("//") { return folder }
        return URL(filePath: folder, directoryHint: .isDirectory).standardizedFileURL.path(percentEncoded: false)
    }

    /// Creates a folder with all that it is in; returns why that cannot be done.
    static func create(_ path: String) -> String? {
        let parts = path.split(separator: "/")
        for depth in parts.indices {
            let folder = "/" + parts[...depth].joined(separator: "/")
            guard mkdir(folder, 0o777) != 0 else { continue }
            let error = POSIXError.last
            // A file is in the way, or what is there is on a file system where nothing can be created.
            if SystemFile.isFolder(folder) { continue }
            return (error.code == .EEXIST ? POSIXError(.ENOTDIR) : error).reason
        }
        return nil
    }

    /// Removes those that have nothing in them.
    func removeEmpty() {
        for path in paths.sorted(by: { $0.utf8.count > $1.utf8.count }) { rmdir(path) }
    }
}
