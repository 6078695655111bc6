import Foundation
import TestSupport

/// A file system of a few megabytes, mounted on a folder.
struct SmallDisk {
    let folder: TemporaryFolder

    /// Whether this process may mount one.
    static let isAvailable: Bool = {
        guard geteuid() == 0, let disk = try? SmallDisk(megabytes: 1) else { return false }
        disk.remove()
        return true
    }()

    init(megabytes: Int) throws {
        folder = try TemporaryFolder()
        try Self.run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", folder.path)
    }

    func grow(megabytes: Int) throws {
        try Self.run("mount", "-o", "remount,size=\(megabytes)m", folder.path)
    }

    func remove() { try? Self.run("umount", folder.path) }

    private static func run(_ program: String, _ arguments: String...) throws {
        let program = try SpawnedProgram(
            "/usr/bin/\(program)", arguments, environment: [:],
            streams: [try FileHandle(forUpdating: URL(filePath: "/dev/null"))])
        guard program.waitUntilEnd().code == 0 else { throw POSIXError(.EPERM) }
    }
}
