#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Splits bytes into lines that end with CRLF or a bare LF.
struct Lines {
    var rest: UnsafeRawBufferPointer

    /// The next line without its line end. Bytes after the last LF form a line of their own.
    mutating func next() -> UnsafeRawBufferPointer? {
        guard !rest.isEmpty else { return nil }
        let end = rest.offset(of: UInt8(ascii: "\n"))
        var line = rest.slice(to: end ?? rest.count)
        rest = rest.slice(from: end.map { $0 + 1 } ?? rest.count)
        if line.last == UInt8(ascii: "\r") { line = line.slice(to: line.count - 1) }
        return line
    }
}

extension UnsafeRawBufferPointer {
    /// The offset of the first occurrence of a byte. Uses `memchr`, because byte loops are slow in debug builds.
    func offset(of byte: UInt8) -> Int? {
        guard let baseAddress, let found = memchr(baseAddress, Int32(byte), count) else { return nil }
        return UnsafeRawPointer(found) - baseAddress
    }

    func slice(from offset: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[offset...]) }

    func slice(to offset: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[..<offset]) }

    /// The bytes without leading and trailing spaces and tabs.
    var trimmed: UnsafeRawBufferPointer {
        var (start, end) = (0, count)
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }

    /// The bytes decoded as UTF-8, with U+FFFD in place of invalid bytes.
    var text: String { String(decoding: self, as: UTF8.self) }
}
