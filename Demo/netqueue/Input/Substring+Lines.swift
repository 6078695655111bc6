extension StringProtocol where SubSequence == Substring {
    /// The lines of a list, which may end as those of any system do. A byte order mark at the beginning is none of the first.
    ///
    /// By bytes: a list may have a million lines.
    var listLines: [Substring] {
        var bytes = self[...].utf8
        if bytes.starts(with: "\u{FEFF}".utf8) { bytes = bytes.dropFirst(3) }
        let feed = UInt8(ascii: "\n")
        let end = bytes.contains(feed) ? feed : UInt8(ascii: "\r")
        return bytes.split(separator: end, omittingEmptySubsequences: false).map { Substring($0) }
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
    fileprivate var isSpace: Bool { [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains(self) }
}
