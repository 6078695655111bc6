import Foundation

/// Writes words and commands for a POSIX shell.
enum ShellWord {
    /// The text as one word, quoted if necessary.
    static func quoted(_ text: String) -> String {
        let isPlain =
            !text.isEmpty && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_./:@%+,-".utf8.contains($0) }
        return isPlain ? text : alwaysQuoted(text)
    }

    /// The text as one quoted word. Inside the quotation marks a shell changes nothing but an apostrophe.
    static func alwaysQuoted(_ text: String) -> String {
        "'" + text.parts(separatedBy: "'").joined(separator: #"'\''"#) + "'"
    }

    /// The text in quotation marks as curl's `-F` reads them.
    static func formQuoted(_ text: String) -> String { "\"\(text)\"" }

    /// The bytes as text that can be part of a word and looks the same on every terminal; `nil` if they are not such
    /// text.
    static func text(of data: Data) -> String? {
        let isText = data.allSatisfy {
            $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\t")
        }
        return isText ? String(validating: data, as: UTF8.self) : nil
    }

    /// A `printf` command that writes the bytes, with octal escapes for all but plain characters.
    static func printf(_ data: Data) -> String {
        var bytes = Array("printf '".utf8)
        bytes.reserveCapacity(bytes.count + data.count * 2)
        for byte in data {
            switch byte {
            // A hyphen in first place would begin an option.
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
