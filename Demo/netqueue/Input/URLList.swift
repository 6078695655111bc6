import Foundation

/// A list of URLs, one a line, each with fields behind it or in the indented lines below it.
///
///     https://example.com/a.iso<TAB>out=disks/a.iso<TAB>checksum=sha256:9f86…
///     https://example.com/b.iso
///       out=disks/b.iso
///
/// The second form is that of aria2. Blank lines and lines that begin with `#` are skipped.
struct URLList {
    /// A line that is not a URL to download, or says of one what cannot be.
    struct BadLine: Hashable {
        let place: String
        let reason: String
        /// The lines as they stand in the list, with what belongs to them.
        fileprivate(set) var text: String
    }

    private(set) var entries: [ListEntry] = []
    private(set) var badLines: [BadLine] = []

    /// Reads a file.
    init(contentsOf path: String) throws(POSIXError) {
        self.init(text: String(bytes: try SystemFile.read(path)), name: path)
    }

    /// Reads a text; `name` tells where it is from, and `firstLine` how many lines of it have been read before, and
    /// one.
    init(text: String, name: String, firstLine: Int = 1) {
        /// Whether an indented line tells of the last entry, and not of a line that is wrong.
        var isOpen = false
        /// Where the lines of the last entry begin.
        var start = 0
        let lines = text.listLines
        for (index, line) in lines.enumerated() {
            let pieces = line.tabSeparated
            guard let first = pieces.first, first.utf8.first != UInt8(ascii: "#") else { continue }
            var place: String { "\(name):\(firstLine + index)" }
            var text: String { lines[start...index].joined(separator: "\n") }
            if line.isIndented, ListEntry.isField(first) {
                if isOpen {
                    isOpen = take(pieces, place: place, of: text)
                } else if badLines.isEmpty {
                    // Without a URL before them they belong to nothing.
                    let reason = "a field without a URL above it: “\(first)”"
                    badLines.append(BadLine(place: place, reason: reason, text: String(line)))
                } else {
                    badLines[badLines.count - 1].text += "\n" + line
                }
                continue
            }
            start = index
            if let url = URLText.url(String(first)) {
                entries.append(ListEntry(url: url))
                isOpen = take(pieces.dropFirst(), place: place, of: text)
            } else {
                badLines.append(BadLine(place: place, reason: URLText.complaint(String(first)), text: text))
                isOpen = false
            }
        }
    }

    /// Adds fields to the last entry; returns whether that still stands. With one that is wrong it is not fetched at
    /// all.
    private mutating func take(_ fields: some Sequence<Substring>, place: String, of text: @autoclosure () -> String)
        -> Bool
    {
        for field in fields {
            if let fault = entries[entries.count - 1].take(field) {
                entries.removeLast()
                badLines.append(BadLine(place: place, reason: fault, text: text()))
                return false
            }
        }
        return true
    }
}
