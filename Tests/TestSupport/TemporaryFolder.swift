import Foundation

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
        (FileManager.default.enumerator(atPath: url.path())?.allObjects as? [String] ?? []).sorted()
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
}
