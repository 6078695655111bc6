import Foundation
import NetworkQueueKit

/// A folder that goes away with its owner.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "NetworkQueueKit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The paths of all files and folders in it.
    package var contents: [String] {
        (FileManager.default.enumerator(atPath: url.path(percentEncoded: false))?.allObjects as? [String] ?? [])
            .sorted()
    }

    package var path: String { url.path(percentEncoded: false) }

    /// The paths of all files below one of its folders, hidden ones too.
    package func files(in name: String = "") throws -> [String] {
        let folder = file(name)
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted().filter {
            try folder.appending(path: $0).resourceValues(forKeys: [.isDirectoryKey]).isDirectory != true
        }
    }

    package func file(_ name: String) -> URL { url.appending(path: name) }

    package func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: file(name))
    }

    /// Writes a file and returns its URL.
    @discardableResult
    package func write(_ data: Data, to name: String) throws -> URL {
        try data.write(to: file(name))
        return file(name)
    }

    package func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: file(name)), as: UTF8.self)
    }

    /// A handle for reading and writing a new file, from its beginning.
    package func handle(_ name: String, containing text: String = "") throws -> FileHandle {
        try write(text, to: name)
        return try FileHandle(forUpdating: file(name))
    }
}

/// A folder that is made when it is first asked for.
package final class LazyFolder: Sendable {
    private let made = Guarded<TemporaryFolder?>(nil)

    package init() {}

    package var folder: TemporaryFolder {
        made.withLock { made in
            if let made { return made }
            guard let folder = try? TemporaryFolder() else { preconditionFailure("no folder for temporary files") }
            made = folder
            return folder
        }
    }
}
