import Foundation

/// Words and commands in the notation of a POSIX shell.
enum ShellWord {
    /// The text as one word.
    static func quoted(_ text: String) -> String {
        let isPlain =
            !text.isEmpty && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_./:@%+,-".utf8.contains($0) }
        return isPlain ? text : alwaysQuoted(text)
    }

    /// The text as one word in quotation marks, between which a shell takes all but an apostrophe as it is.
    static func alwaysQuoted(_ text: String) -> String {
        "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    /// The text in the quotation marks of curl's `-F`.
    static func formQuoted(_ text: String) -> String { "\"\(text)\"" }

    /// The bytes as a text that can stand in a word, and is the same on every terminal; `nil` for all others.
    static func text(of data: Data) -> String? {
        let isText = data.allSatisfy {
            $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\t")
        }
        return isText ? String(validating: data, as: UTF8.self) : nil
    }

    /// A command that writes the bytes: `printf`, with octal escapes for what is not a plain character.
    static func printf(_ data: Data) -> String {
        var bytes = Array("printf '".utf8)
        bytes.reserveCapacity(bytes.count + data.count * 2)
        for byte in data {
            switch byte {
            // In front it would begin an option.
            case UInt8(ascii: "-") where bytes.last == UInt8(ascii: "'"): bytes.append(contentsOf: #"\055"#.utf8)
            case UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "'"), 0..<0x20, 0x7F...0xFF:
                bytes.append(UInt8(ascii: "\\"))
                for shift in [6, 3, 0] { bytes.append(UInt8(ascii: "0") + (byte >> UInt8(shift)) & 7) }
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "'"))
        return String(decoding: bytes, as: UTF8.self)
    }
}
