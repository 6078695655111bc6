import Foundation

/// A folder of real files, taken from what is on every machine.
struct FileTree {
    let root: URL
    /// Paths below `root`.
    let paths: [String]

    /// Copies up to `count` files of up to 4 MiB out of the system's folders.
    init(count: Int) throws {
        let manager = FileManager.default
        root = manager.temporaryDirectory.appending(path: "tree-\(UUID().uuidString)")
        var paths: [String] = []
        for source in ["/usr/include", "/usr/share", "/usr/lib"] where paths.count < count {
            guard let files = manager.enumerator(atPath: source) else { continue }
            while paths.count < count, let file = files.nextObject() as? String {
                let attributes = files.fileAttributes ?? [:]
                guard attributes[.type] as? FileAttributeType == .typeRegular,
                    (attributes[.size] as? Int ?? .max) < 4 << 20
                else { continue }
                let path = source.dropFirst() + "/" + file
                let target = root.appending(path: path)
                try manager.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
                guard (try? manager.copyItem(atPath: source + "/" + file, toPath: target.path)) != nil else { continue }
                paths.append(String(path))
            }
        }
        self.paths = paths
    }

    func remove() {
        try? FileManager.default.removeItem(at: root)
    }
}
