import Foundation

/// A file that gets a name when it is whole, and had none before: what ends the process until then leaves nothing
/// behind.
///
/// It takes half the calls of a part, which is created under one name, locked, looked at and moved to another: on a
/// disk, 5,000 small files take about a sixth longer without it. Linux alone has such files (`O_TMPFILE`), and not on
/// every file system.
final class UnnamedFile {
    private let descriptor: Int32

    /// `nil` where there is no such file, for whatever reason: that a part cannot be made there either says more of it.
    init?(in folder: String) {
        descriptor = POSIXFile.openUnnamed(in: folder)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Writes the whole content and has it on the disk; returns 0, or why that failed.
    func store(_ content: UnsafeRawBufferPointer, modified: Date?) -> Int32 {
        guard POSIXFile.write(content, to: descriptor) else { return errno }
        if let modified { POSIXFile.setModificationDate(modified, of: descriptor) }
        return POSIXFile.synchronize(descriptor) ? 0 : errno
    }

    /// Gives the file a name that is free; returns 0, `EEXIST` when there is anything under the name, or why else it
    /// cannot be.
    func link(to path: String) -> Int32 {
        POSIXFile.link(unnamed: descriptor, to: path)
    }
}
