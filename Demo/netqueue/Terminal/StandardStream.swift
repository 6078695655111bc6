import Foundation
import NetworkQueueKit

/// The standard output or error, written without a buffer.
enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Whether the stream is a terminal.
    var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Writes all of `text`, in one call if the system allows it; returns the error, if any.
    @discardableResult
    func write(_ text: String) -> POSIXError? {
        var text = text
        return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }

    /// Writes all of `data`; returns the error, if any.
    func write(_ data: Data) -> POSIXError? {
        data.withUnsafeBytes { write($0) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> POSIXError? {
        var rest = bytes
        while !POSIXFile.write(rest, to: rawValue, written: { rest = UnsafeRawBufferPointer(rebasing: rest[$0...]) }) {
            guard errno == EAGAIN, waitUntilWritable() else { return .last }
        }
        return nil
    }

    /// Waits up to 1 s, because another program that shares the terminal may have made it non-blocking.
    private func waitUntilWritable() -> Bool {
        var entry = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        return poll(&entry, 1, 1000) > 0
    }
}
