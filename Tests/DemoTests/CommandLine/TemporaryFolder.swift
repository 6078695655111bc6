import Foundation

/// A folder for one test.
struct TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(component: "netqueue-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    var path: String { url.path(percentEncoded: false) }

    func remove() {
        try? FileManager.default.removeItem(at: url)
    }

    /// A handle for reading and writing a file, from its beginning.
    func handle(_ name: String, containing text: String = "") throws -> FileHandle {
        try write(text, to: name)
        return try FileHandle(forUpdating: url.appending(path: name))
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: url.appending(path: name))
    }

    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: url.appending(path: name)), as: UTF8.self)
    }

    /// The names of what is in it, files and folders.
    func entries() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    /// The paths of all files below a folder, sorted, hidden ones too.
    func files(in name: String = "") throws -> [String] {
        let folder = url.appending(path: name)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false))
        return paths.filter { !folder.appending(path: $0).isFolder }.sorted()
    }
}

extension URL {
    fileprivate var isFolder: Bool {
        (try? resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
    }
}
