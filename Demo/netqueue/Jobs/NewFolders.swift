import Foundation

/// The folders that a job creates: those that it leaves empty are removed again.
struct NewFolders {
    /// The deepest last.
    private let paths: [String]

    /// Notes which of the folders that `files` need are not there yet.
    init(for files: [URL]) {
        var missing: Set<String> = []
        var seen: Set<String> = []
        for file in files {
            var folder = file.deletingLastPathComponent().standardizedFileURL
            while case let path = folder.path(percentEncoded: false), path != "/", seen.insert(path).inserted,
                !SystemFile.exists(path)
            {
                missing.insert(path)
                folder = folder.deletingLastPathComponent()
            }
        }
        paths = missing.sorted { $0.utf8.count < $1.utf8.count }
    }

    /// Removes those that have nothing in them.
    func removeEmpty() {
        for path in paths.reversed() { rmdir(path) }
    }
}
