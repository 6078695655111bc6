import Foundation

/// A new temporary folder.
struct ScratchFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(component: "netqueue-demo-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// The URL of a path below the folder.
    func file(_ path: String) -> URL { url.appending(path: path, directoryHint: .notDirectory) }

    /// The number of files below the folder, including hidden ones.
    func fileCount() -> Int {
        let paths = FileManager.default.enumerator(at: url, includingPropertiesForKeys: [.isDirectoryKey])
        return paths?.lazy.compactMap { $0 as? URL }.filter { !$0.hasDirectoryPath }.count ?? 0
    }

    /// Removes the folder with its contents.
    func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}
