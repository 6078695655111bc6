extension StringProtocol where SubSequence == Substring {
    /// The lines of a list, with line ends of any system and without a byte order mark.
    ///
    /// Works on bytes, because a list may have a million lines.
    var listLines: [Substring] {
        var bytes = self[...].utf8
        if bytes.starts(with: "\u{FEFF}".utf8) { bytes = bytes.dropFirst(3) }
        let feed = UInt8(ascii: "\n")
        let end = bytes.contains(feed) ? feed : UInt8(ascii: "\r")
        return bytes.split(separator: end, omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// The texts between the tabs of a line, except for blank ones. Spaces in them are kept, because a path may begin or
    /// end with one. A carriage return at the end of the line belongs to the line feed.
    var tabSeparated: [Substring] {
        var rest = self[...].utf8
        if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
        var pieces: [Substring] = []
        while !rest.isEmpty {
            let piece = rest.prefix { $0 != UInt8(ascii: "\t") }
            if piece.contains(where: { !$0.isSpace }) { pieces.append(Substring(piece)) }
            rest = rest[piece.endIndex...].dropFirst()
        }
        return pieces
    }

    /// Whether a line starts with a space or a tab.
    var isIndented: Bool { utf8.first == UInt8(ascii: " ") || utf8.first == UInt8(ascii: "\t") }

    /// The text without leading spaces and carriage returns.
    var withoutIndent: Substring {
        utf8.first?.isSpace == true ? Substring(self[...].utf8.drop(while: \.isSpace)) : self[...]
    }

    /// The text without leading and trailing spaces, tabs and carriage returns.
    var trimmedOfSpaces: Substring {
        var bytes = self[...].utf8
        while let first = bytes.first, first.isSpace { bytes.removeFirst() }
        while let last = bytes.last, last.isSpace { bytes.removeLast() }
        return Substring(bytes)
    }
}

extension UInt8 {
    /// Whether the byte is a space, a tab or a carriage return.
    var isSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\r") }

    var isHexadecimal: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
    }
}
