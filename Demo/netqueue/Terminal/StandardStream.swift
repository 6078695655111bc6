import Foundation

/// The standard output or error, written to without a buffer.
enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Whether it leads to a terminal.
    var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Writes all of `text`, in one piece as far as the system allows; returns why it could not be written.
    @discardableResult
    func write(_ text: String) -> POSIXError? {
        var text = text
        return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }

    /// Writes all of `data`; returns why it could not be written.
    func write(_ data: Data) -> POSIXError? {
        data.withUnsafeBytes { write($0) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> POSIXError? {
        var rest = bytes
        while !rest.isEmpty {
            let count = systemWrite(rawValue, rest)
            if count < 0 {
                if errno == EINTR { continue }
                guard errno == EAGAIN, waitUntilWritable() else { return .last }
                continue
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return nil
    }

    /// A terminal may have been made non-blocking by another program that shares it.
    private func waitUntilWritable() -> Bool {
        var entry = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        return poll(&entry, 1, 1000) > 0
    }
}

/// `write(2)`, which a method called `write` hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
