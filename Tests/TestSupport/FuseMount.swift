import Foundation

/// A folder that a program of FUSE shows as it is, but for what its calls cannot do.
package struct FuseMount: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// Speaks FUSE 2, to which a modification time alone is nothing.
        case bindfs
        /// Without a cache: files are written from their beginning to their end, and there are no links.
        case rclone

        /// Whether this process may mount one here.
        package var isAvailable: Bool { Self.available.contains(self) }

        private static let available = allCases.filter { kind in
            guard let mount = try? FuseMount(kind) else { return false }
            mount.remove()
            return true
        }
    }

    package let folder: TemporaryFolder
    /// Where the files are in fact.
    private let store: TemporaryFolder

    package init(_ kind: Kind) throws {
        folder = try TemporaryFolder()
        store = try TemporaryFolder()
        switch kind {
        case .bindfs: try Self.run("bindfs", store.path, folder.path)
        case .rclone:
            try Self.run(
                "rclone", "mount", store.path, folder.path, "--config", "/dev/null", "--vfs-cache-mode", "off",
                "--daemon")
        }
    }

    /// Unmounts it. Call once, when no program has a file open on it.
    package func remove() { try? Self.run("fusermount", "-u", folder.path) }

    private static func run(_ program: String, _ arguments: String...) throws {
        let path = "/usr/bin/\(program)"
        guard FileManager.default.isExecutableFile(atPath: path) else { throw POSIXError(.ENOENT) }
        // Both look for fusermount, and rclone for a home.
        let end = try SpawnedProgram(
            path, arguments, environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"],
            streams: [.null(), .null(), .null()]
        ).waitUntilEnd()
        guard end.code == 0 else { throw POSIXError(.EPERM) }
    }
}
