extension StringProtocol where SubSequence == Substring {
    /// The lines of a list, which may end as those of any system do. A byte order mark at the beginning is none of the
    /// first.
    ///
    /// By bytes: a list may have a million lines.
    var listLines: [Substring] {
        var bytes = self[...].utf8
        if bytes.starts(with: "\u{FEFF}".utf8) { bytes = bytes.dropFirst(3) }
        let feed = UInt8(ascii: "\n")
        let end = bytes.contains(feed) ? feed : UInt8(ascii: "\r")
        return bytes.split(separator: end, omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// What stands between the tabs of a line, without spaces around it; what is empty is left out.
    var tabSeparated: [Substring] {
        self[...].utf8.split(separator: UInt8(ascii: "\t")).map { Substring($0).trimmedOfSpaces }.filter { !$0.isEmpty }
    }

    /// Whether a line begins with white space.
    var isIndented: Bool {
        // To read a whole character takes longer, and hardly any line begins with one beyond ASCII.
        guard let byte = utf8.first, !(0x21...0x7E).contains(byte) else { return false }
        return first?.isWhitespace == true
    }

    /// The text without spaces, tabs and returns at its ends.
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
