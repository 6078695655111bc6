import Foundation

/// Writes content beside its destination under a temporary name, and moves it there in one step at the end.
final class FileSink: BodySink, @unchecked Sendable {  // see BodySink
    private let destination: URL
    private let policy: Destination.ConflictPolicy
    private let temporaryPath: String
    private var descriptor: Int32

    /// Creates the temporary file, and missing parent folders.
    init(_ destination: URL, onConflict policy: Destination.ConflictPolicy) throws(NetworkError) {
        // The path of another URL would be taken for one of this machine.
        guard destination.isFileURL else { throw .fileSystem(EINVAL) }
        self.destination = destination
        self.policy = policy
        let folder = destination.deletingLastPathComponent()
        temporaryPath = folder.appending(path: ".\(UUID().uuidString).part").path(percentEncoded: false)
        if policy == .fail, access(destination.path(percentEncoded: false), F_OK) == 0 {
            throw .fileSystem(EEXIST)
        }
        descriptor = Self.create(temporaryPath)
        if descriptor < 0, errno == ENOENT {
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            } catch {
                throw NetworkError(.fileSystem, underlying: error)
            }
            descriptor = Self.create(temporaryPath)
        }
        guard descriptor >= 0 else { throw .fileSystem(errno) }
    }

    deinit { abandon() }

    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = systemWrite(descriptor, rest)
            if count < 0 {
                if errno == EINTR { continue }
                throw .fileSystem(errno)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    func finish() throws(NetworkError) -> (data: Data?, fileURL: URL?) {
        let status = close(descriptor)
        descriptor = -1
        guard status == 0 else {
            let code = errno
            unlink(temporaryPath)
            throw .fileSystem(code)
        }
        do {
            return (nil, try move())
        } catch {
            unlink(temporaryPath)
            throw error
        }
    }

    func abandon() {
        guard descriptor >= 0 else { return }
        _ = close(descriptor)
        descriptor = -1
        unlink(temporaryPath)
    }

    private func move() throws(NetworkError) -> URL {
        if policy == .overwrite {
            guard rename(temporaryPath, destination.path(percentEncoded: false)) == 0 else { throw .fileSystem(errno) }
            return destination
        }
        var number = 1
        while true {
            let candidate = number == 1 ? destination : destination.numbered(number)
            // Unlike rename, link never replaces a file, not even one that has appeared since we looked.
            if link(temporaryPath, candidate.path(percentEncoded: false)) == 0 {
                unlink(temporaryPath)
                return candidate
            }
            guard errno == EEXIST, policy == .unique else { throw .fileSystem(errno) }
            number += 1
        }
    }

    private static func create(_ path: String) -> Int32 {
        open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    }
}

/// `write(2)`, which a method called `write` hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

extension NetworkError {
    fileprivate static func fileSystem(_ code: Int32) -> NetworkError {
        NetworkError(.fileSystem, underlying: POSIXErrorCode(rawValue: code).map { POSIXError($0) })
    }
}

extension URL {
    /// `name-2.ext` for `name.ext`.
    fileprivate func numbered(_ number: Int) -> URL {
        let name = deletingPathExtension().lastPathComponent + "-\(number)"
        let folder = deletingLastPathComponent()
        return folder.appending(path: pathExtension.isEmpty ? name : "\(name).\(pathExtension)")
    }
}
