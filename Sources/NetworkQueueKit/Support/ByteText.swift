import Foundation

/// A text that is compared, ordered and hashed by its UTF-8 bytes: the key for names, paths, fields and lines.
///
/// A `String` compares characters: it equals another one with other bytes if both are canonically equivalent, such as
/// the two forms of `ü`. On Linux those are the names of two files, and to a server they are always two resources.
package struct ByteText: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package init(_ text: Substring) { self.text = String(text) }

    package static func == (left: ByteText, right: ByteText) -> Bool { left.text.equals(bytesOf: right.text) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // Separates this text from the next one, like any byte that UTF-8 does not have.
        hasher.combine(0xFF as UInt8)
    }

    package static func < (left: ByteText, right: ByteText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

/// The methods of `String` of the same purpose work on characters. A combining mark, an emoji modifier or a line feed
/// belongs to the same character as the slash, the space or the carriage return before it, so they would not find that.
extension String {
    /// Whether both texts have the same bytes.
    package func equals(bytesOf other: String) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard left.count == right.count else { return false }
                guard let own = left.baseAddress, let others = right.baseAddress else { return true }
                return memcmp(own, others, left.count) == 0
            }
        }
    }
}

extension String? {
    /// Whether both texts have the same bytes, or both are `nil`.
    package func equals(bytesOf other: String?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.equals(bytesOf: other)
    }
}

extension StringProtocol where SubSequence == Substring {
    package func starts(withBytesOf prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    package func ends(withBytesOf suffix: String) -> Bool {
        utf8.count >= suffix.utf8.count && utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    /// The index after the first occurrence of a text; `nil` if it does not occur.
    package func index(afterBytesOf text: String) -> Index? {
        var rest = self[...].utf8
        while !rest.isEmpty {
            if rest.starts(with: text.utf8) { return rest.index(rest.startIndex, offsetBy: text.utf8.count) }
            rest.removeFirst()
        }
        return nil
    }

    /// Whether an ASCII character occurs in the text.
    package func contains(byte: Unicode.Scalar) -> Bool { utf8.contains(UInt8(ascii: byte)) }

    /// The parts of the text between the occurrences of an ASCII character, including empty ones.
    package func parts(separatedBy separator: Unicode.Scalar, maxSplits: Int = .max) -> [Substring] {
        self[...].utf8.split(
            separator: UInt8(ascii: separator), maxSplits: maxSplits, omittingEmptySubsequences: false
        ).map { Substring($0) }
    }
}

extension Substring {
    /// Removes the first byte if it is the given ASCII character; returns whether it did.
    package mutating func skip(byte: Unicode.Scalar) -> Bool {
        guard utf8.first == UInt8(ascii: byte) else { return false }
        self = Substring(utf8.dropFirst())
        return true
    }
}
