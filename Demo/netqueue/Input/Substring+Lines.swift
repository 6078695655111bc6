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

    /// The nonempty texts between the tabs of a line, without surrounding spaces.
    var tabSeparated: [Substring] {
        self[...].utf8.split(separator: UInt8(ascii: "\t")).map { Substring($0).trimmedOfSpaces }.filter { !$0.isEmpty }
    }

    /// Whether a line starts with white space.
    var isIndented: Bool {
        // Check the first byte first: reading a whole character is slower, and few lines start with a non-ASCII one.
        guard let byte = utf8.first, !(0x21...0x7E).contains(byte) else { return false }
        return first?.isWhitespace == true
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
    fileprivate var isSpace: Bool {
        self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\r")
    }
}
