import Foundation

/// A file system of a few megabytes, mounted on a folder.
package struct SmallDisk: Sendable {
    package let folder: TemporaryFolder

    /// Whether this process may mount one.
    package static let isAvailable: Bool = {
        guard geteuid() == 0, let disk = try? SmallDisk(megabytes: 1) else { return false }
        disk.remove()
        return true
    }()

    package init(megabytes: Int) throws {
        folder = try TemporaryFolder()
        try Self.run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", folder.path)
    }

    package func grow(megabytes: Int) throws {
        try Self.run("mount", "-o", "remount,size=\(megabytes)m", folder.path)
    }

    /// Unmounts it. Call once, when no program has a file open on it.
    package func remove() { try? Self.run("umount", folder.path) }

    private static func run(_ program: String, _ arguments: String...) throws {
        guard try SpawnedProgram.run(["/usr/bin/\(program)"] + arguments) == 0 else { throw POSIXError(.EPERM) }
    }
}
