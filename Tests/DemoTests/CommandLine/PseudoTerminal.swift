import Foundation
import Testing

/// A terminal for a program under test, whose screen is kept as the text that was sent to it.
final class PseudoTerminal {
    /// The program's end.
    let device: FileHandle
    private let primary: Int32
    private let received: Task<String, Never>

    init(columns: Int, rows: Int = 24) throws {
        var ends: (primary: Int32, device: Int32) = (-1, -1)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&ends.primary, &ends.device, nil, nil, &size) == 0)
        // Programs of other tests must not inherit them: a terminal ends when its last device is closed.
        for descriptor in [ends.primary, ends.device] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        let primary = ends.primary
        self.primary = primary
        device = FileHandle(fileDescriptor: ends.device, closeOnDealloc: true)
        received = Self.reader(of: primary)
    }

    deinit { close(primary) }

    /// Everything that the program has sent, once it has ended.
    func text() async throws -> String {
        try device.close()
        return await received.value
    }

    private static func reader(of descriptor: Int32) -> Task<String, Never> {
        let (texts, text) = AsyncStream.makeStream(of: String.self)
        // A queue of Dispatch would do it on one of the few threads that tests share.
        Thread.detachNewThread {
            text.yield(read(descriptor))
            text.finish()
        }
        return Task { await texts.reduce("", +) }
    }

    /// Reads until the other end is closed everywhere, which is an error on Linux and an end on Darwin.
    private static func read(_ descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}
