import Foundation

/// Reads a list of URLs, one a line, each with fields behind it or in the indented lines below it.
///
///     https://example.com/a.iso<TAB>out=disks/a.iso<TAB>checksum=sha256:9f86…
///     https://example.com/b.iso
///       out=disks/b.iso
///
/// The second form is that of aria2. Blank lines and lines that begin with `#` are skipped.
struct URLList: Sendable {
    /// A line that is not a URL to download, or says of one what cannot be.
    struct BadLine: Hashable {
        let place: String
        let reason: String
        /// The lines as they stand in the list, with what belongs to them.
        fileprivate(set) var text: String
    }

    enum Item {
        /// A URL with its fields; `place` is where it begins.
        case entry(ListEntry, place: Int)
        case bad(BadLine)
    }

    private let store: ListStore
    private let name: String
    /// Where the next line begins, and the last one ends.
    private var place: Int
    private let end: Int
    /// That of the last line that has been read.
    private var lineNumber: Int

    /// - Parameters:
    ///   - range: where the lines are.
    ///   - name: where they are from.
    ///   - firstLine: how many lines of it have been read before, and one.
    init(_ range: Range<Int>, of store: ListStore, name: String, firstLine: Int = 1) {
        self.store = store
        self.name = name
        (place, end) = (range.lowerBound, range.upperBound)
        lineNumber = firstLine - 1
    }

    /// Reads on to the next URL or wrong line; `nil` at the end.
    mutating func next() -> Item? {
        while place < end {
            let start = place
            let line = takeLine()
            let pieces = line.tabSeparated
            guard let first = pieces.first, first.utf8.first != UInt8(ascii: "#") else { continue }
            if line.isIndented, ListEntry.isField(first) {
                // Without a URL before them they belong to nothing.
                return bad("a field without a URL above it: “\(first)”", since: start)
            }
            let text = String(first)
            guard let url = URLText.url(text) else { return bad(URLText.complaint(text), since: start) }
            var entry = ListEntry(url: url)
            var fields = Array(pieces.dropFirst())
            repeat {
                // With one that is wrong it is not fetched at all.
                for field in fields {
                    if let fault = entry.take(field) { return bad(fault, since: start) }
                }
                fields = takeFieldLine()?.tabSeparated ?? []
            } while !fields.isEmpty
            return .entry(entry, place: start)
        }
        return nil
    }

    private mutating func takeLine() -> String {
        let line = store.line(at: place)
        place = line.end
        lineNumber += 1
        return line.text
    }

    /// The next line if it has fields for what is above it.
    private mutating func takeFieldLine() -> String? {
        while place < end, !store.isFlush(at: place) {
            let former = self
            let line = takeLine()
            guard let first = line.tabSeparated.first, first.utf8.first != UInt8(ascii: "#") else { continue }
            if line.isIndented, ListEntry.isField(first) { return line }
            self = former
            return nil
        }
        return nil
    }

    private mutating func bad(_ reason: String, since start: Int) -> Item {
        var line = BadLine(place: "\(name):\(lineNumber)", reason: reason, text: store.text(start..<place))
        while let more = takeFieldLine() { line.text += "\n" + more }
        return .bad(line)
    }
}
