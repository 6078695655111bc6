import Foundation

/// A fresh folder for files that are not kept.
struct ScratchFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(component: "netqueue-demo-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// The file at a path below the folder.
    func file(_ path: String) -> URL { url.appending(path: path, directoryHint: .notDirectory) }

    /// How many files there are below the folder, hidden ones too.
    func fileCount() -> Int {
        let paths = FileManager.default.enumerator(at: url, includingPropertiesForKeys: [.isDirectoryKey])
        return paths?.lazy.compactMap { $0 as? URL }.filter { !$0.hasDirectoryPath }.count ?? 0
    }

    /// Removes it with everything in it.
    func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}
