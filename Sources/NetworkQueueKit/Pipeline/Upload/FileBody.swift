import Foundation

/// The content of a file. The file is opened at the first read and closed at the end of the exchange.
final class FileBody: PreparedBody {
    let file: BodyFile
    private let descriptor = Guarded<Int32>(-1)

    init(_ file: BodyFile) {
        self.file = file
    }

    deinit { close() }

    var length: Int64 { file.length }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        let wanted = Int(clamping: min(Int64(buffer.count), length - offset))
        guard wanted > 0 else { return 0 }
        // Read under the lock: as soon as the descriptor is closed, its number may belong to another file.
        nonisolated(unsafe) let target = buffer  // valid during this call
        return try descriptor.withLock { descriptor in
            if descriptor < 0 { descriptor = try file.open() }
            while true {
                let count = pread(descriptor, target.baseAddress, wanted, off_t(offset))
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw BodyFile.error(errno, file.url) }
                guard count > 0 else { throw file.changeError }
                // If the file has changed, withhold its last bytes; otherwise the server would accept a mixture.
                if offset + Int64(count) == length { try file.check(descriptor) }
                return count
            }
        }
    }

    func close() {
        let descriptor = descriptor.withLock { descriptor in
            defer { descriptor = -1 }
            return descriptor
        }
        if descriptor >= 0 { _ = systemClose(descriptor) }
    }
}

extension FileBody: WholeFileBody {
    func wholeFile() throws -> URL? {
        _ = systemClose(try file.open())
        return file.url
    }
}

/// Calls `close(2)`, which a method named `close` hides.
private func systemClose(_ descriptor: Int32) -> Int32 {
    close(descriptor)
}
