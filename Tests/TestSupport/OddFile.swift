import Foundation
import LoopbackHTTP

/// What another user, or another program, may leave under a name that a download wants.
package enum OddFile: String, CaseIterable, Sendable {
    case directory, fifo, socket, device, symbolicLink, danglingLink
    /// A regular file of another user, which everyone may write to.
    case foreignFile

    /// Those that this process may make: for devices and other users' files it takes root.
    package static let creatable = allCases.filter { kind in
        guard let folder = try? TemporaryFolder() else { return false }
        return (try? kind.make(at: folder.file("probe"))) != nil
    }

    /// Those that are neither a regular file nor a symbolic link.
    package static let special = creatable.filter { ![.symbolicLink, .danglingLink, .foreignFile].contains($0) }

    /// The text in a foreign file, and in the file behind a symbolic link.
    package static let content = "another's"

    /// A user that no file of a test belongs to otherwise.
    private static let otherUser: uid_t = 54_321

    /// Puts one at `url`. A symbolic link leads to a file of the same name with `.target` behind it.
    package func make(at url: URL) throws {
        let path = url.path(percentEncoded: false)
        let result: Int32
        switch self {
        case .directory: result = mkdir(path, 0o777)
        case .fifo: result = mkfifo(path, 0o666)
        case .socket: result = bindSocket(path)
        // The null device.
        case .device: result = mknod(path, S_IFCHR | 0o666, 0x103)
        case .symbolicLink:
            try Data(Self.content.utf8).write(to: Self.target(of: url))
            result = symlink(Self.target(of: url).path(percentEncoded: false), path)
        case .danglingLink: result = symlink(Self.target(of: url).path(percentEncoded: false), path)
        case .foreignFile:
            try Data(Self.content.utf8).write(to: url)
            result = chown(path, Self.otherUser, Self.otherUser) == 0 ? chmod(path, 0o666) : -1
        }
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    /// Whether it is at `url` as it was made.
    package func isIntact(at url: URL) -> Bool {
        var status = stat()
        guard lstat(url.path(percentEncoded: false), &status) == 0 else { return false }
        let kind = status.st_mode & S_IFMT
        switch self {
        case .directory: return kind == S_IFDIR
        case .fifo: return kind == S_IFIFO
        case .socket: return kind == S_IFSOCK
        case .device: return kind == S_IFCHR
        case .symbolicLink: return kind == S_IFLNK && Self.isOriginal(Self.target(of: url))
        case .danglingLink:
            return kind == S_IFLNK && !FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
        case .foreignFile: return kind == S_IFREG && status.st_uid == Self.otherUser && Self.isOriginal(url)
        }
    }

    private static func target(of url: URL) -> URL { url.appendingPathExtension("target") }

    private static func isOriginal(_ url: URL) -> Bool { (try? Data(contentsOf: url)) == Data(content.utf8) }
}

/// A path may be longer than what fits into a socket's address, so the socket is bound under a short name first.
private func bindSocket(_ path: String) -> Int32 {
    let descriptor = socket(AF_UNIX, Sockets.streamType, 0)
    guard descriptor >= 0 else { return -1 }
    defer { close(descriptor) }
    let short = "/tmp/nqk-\(UInt32.random(in: 0 ... .max))"
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: short.utf8) }
    let bound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    return bound == 0 ? rename(short, path) : -1
}
