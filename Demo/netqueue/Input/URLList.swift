import Foundation

/// Parses a list with one URL per line. Fields follow a URL on its line or on indented lines below it.
///
///     https://example.com/a.iso<TAB>out=disks/a.iso<TAB>checksum=sha256:9f86…
///     https://example.com/b.iso
///       out=disks/b.iso
///
/// The second form is aria2's. Blank lines and lines that start with `#` are skipped. The lines may also be JSON objects,
/// each a ``JSONLine``.
struct URLList: Sendable {
    enum Item {
        /// A URL with its fields, and the range of its lines.
        case entry(ListEntry, lines: Range<Int>)
        /// An invalid line: it has no valid URL, or an invalid field. It fails like a download.
        case bad(JobFailure)
    }

    /// The longest line in bytes.
    static let longestLine = 1 << 20
    /// The longest reason in bytes; it may quote the line.
    private static let longestReason = 400
    /// The most invalid lines that are reported of a list that a server has sent: each takes memory.
    private static let mostFaults = 10_000

    /// Where the list comes from.
    let source: ListSource
    private let store: ListStore
    private let name: String
    /// The offset of the next line, and the end of the last line.
    private var place: Int
    private let end: Int
    /// The number of the last line that has been read.
    private var lineNumber: Int
    private var faultCount = 0

    /// - Parameters:
    ///   - range: The range of the lines in the store.
    ///   - name: The name of the list, for messages.
    ///   - firstLine: The number of the first line.
    init(_ range: Range<Int>, of store: ListStore, name: String, firstLine: Int = 1) {
        self.store = store
        self.name = name
        source = store.source(at: range.lowerBound)
        (place, end) = (range.lowerBound, range.upperBound)
        lineNumber = firstLine - 1
    }

    /// Parses the next URL or invalid line; returns `nil` at the end.
    mutating func next() -> Item? {
        while place < end {
            let start = place
            let line = takeLine()
            guard line.utf8.count <= Self.longestLine else {
                return bad("the line has \(line.utf8.count) bytes; at most 1 MiB is read", since: start)
            }
            if let item = source.isJSON ? jsonItem(line, since: start) : item(line, since: start) { return item }
        }
        return nil
    }

    /// The entry of a line, and of the fields below it; `nil` for a line that is skipped.
    private mutating func item(_ line: String, since start: Int) -> Item? {
        let pieces = line.tabSeparated.map(\.withoutIndent)
        guard let first = pieces.first, first.utf8.first != UInt8(ascii: "#") else { return nil }
        if line.isIndented, ListEntry.isField(first) {
            // Fields without a preceding URL belong to nothing.
            return bad("field without a URL above it: “\(first)”", since: start)
        }
        let text = String(first)
        guard let address = store.address(text, relativeTo: source.url) else {
            return bad(URLText.complaint(text), since: start)
        }
        var entry = ListEntry(address: address)
        var fields = Array(pieces.dropFirst())
        var end = place
        repeat {
            end = place
            // An entry with an invalid field is not fetched at all.
            for field in fields {
                if let fault = entry.take(field, relativeTo: source.url) { return bad(fault, since: start) }
            }
            fields = takeFieldLine()?.fields ?? []
        } while !fields.isEmpty
        if let fault = source.fault(in: entry) { return bad(fault, since: start) }
        return .entry(entry, lines: start..<end)
    }

    /// The entry of a JSON object; `nil` for a blank line.
    private mutating func jsonItem(_ line: String, since start: Int) -> Item? {
        if line.trimmedOfSpaces.isEmpty { return nil }
        do throws(JSONLine.Fault) {
            let entry = try JSONLine.entry(store.bytes(start..<place), relativeTo: source.url) {
                store.address($0, relativeTo: source.url)
            }
            if let fault = source.fault(in: entry) { return bad(fault, since: start) }
            return .entry(entry, lines: start..<place)
        } catch {
            return bad(error.reason, since: start)
        }
    }

    private mutating func takeLine() -> String {
        let line = store.line(at: place)
        place = line.end
        lineNumber += 1
        return line.text
    }

    /// The next line, if it has fields for the URL above it.
    private mutating func takeFieldLine() -> (text: String, fields: [Substring])? {
        while place < end, !store.isFlush(at: place) {
            let former = self
            let line = takeLine()
            let fields = line.tabSeparated.map(\.withoutIndent)
            guard let first = fields.first, first.utf8.first != UInt8(ascii: "#") else { continue }
            if line.isIndented, ListEntry.isField(first) { return (line, fields) }
            self = former
            return nil
        }
        return nil
    }

    private mutating func bad(_ reason: String, since start: Int) -> Item {
        let place = "\(name):\(lineNumber)"
        faultCount += 1
        guard source.url == nil || faultCount <= Self.mostFaults else {
            self.place = end
            let reason = "more than \(Self.mostFaults) lines are invalid; the rest of the list is not read"
            return .bad(JobFailure(source: place, reason: reason, kind: "invalid list", code: .line))
        }
        // A line that is too long is not repeated.
        let line = self.place - start > Self.longestLine ? nil : store.text(start..<self.place)
        var fields = ""
        while !source.isJSON, let more = takeFieldLine() { fields += "\n" + more.text }
        let lines = fields.isEmpty ? line : (line ?? "") + fields
        return .bad(
            JobFailure(
                source: place, reason: reason.shortened(to: Self.longestReason), kind: "invalid list line",
                lines: lines.map { .text(source.absolute($0)) }, code: .line))
    }
}
