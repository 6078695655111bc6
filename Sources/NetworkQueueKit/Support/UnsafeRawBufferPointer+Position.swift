import Foundation

extension UnsafeRawBufferPointer {
    /// Where the byte is first found, as fast as the C library finds it.
    func position(of byte: UInt8) -> Int? {
        guard let start = baseAddress, let found = memchr(start, CInt(byte), count) else { return nil }
        return UnsafeRawPointer(found) - start
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Puts `other` in the place of each `byte`.
    func replaceAll(_ byte: UInt8, with other: UInt8) {
        var rest = self
        while let index = UnsafeRawBufferPointer(rest).position(of: byte) {
            rest[index] = other
            rest = UnsafeMutableRawBufferPointer(rebasing: rest[(index + 1)...])
        }
    }
}
