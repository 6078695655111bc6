import Foundation

/// The lines of the command line and of all lists of a run, as bytes. What waits to be fetched is the number of an entry
/// in here, and becomes objects when its turn comes: a list may have a million lines.
final class ListStore: Sendable {
    private struct State {
        /// One list behind the other. Each line ends with a line feed.
        var bytes: [UInt8] = []
        /// Where the entries begin, in the order in which they were added.
        var starts: [Int] = []
        /// The numbers in the names of files, of those entries that have one.
        var fileNumbers: [Int: Int] = [:]
    }

    private static let feed = UInt8(ascii: "\n")
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private let state = Locked(State())

    /// Adds a list, whose lines may end as those of any system do; returns where its lines are.
    func append(_ text: some Collection<UInt8>) -> Range<Int> {
        state.withLock { state in
            let start = state.bytes.count
            state.bytes.append(contentsOf: text.dropFirst(text.starts(with: Self.byteOrderMark) ? 3 : 0))
            if start == state.bytes.count { return start..<start }
            if !state.bytes[start...].contains(Self.feed) {
                for place in start..<state.bytes.count where state.bytes[place] == UInt8(ascii: "\r") {
                    state.bytes[place] = Self.feed
                }
            }
            if state.bytes.last != Self.feed { state.bytes.append(Self.feed) }
            return start..<state.bytes.count
        }
    }

    /// The line that begins at a place, and where the next one begins.
    func line(at place: Int) -> (text: String, end: Int) {
        state.withLock { state in
            let rest = state.bytes[place...]
            let end = rest.firstIndex(of: Self.feed) ?? rest.endIndex
            return (String(bytes: rest[..<end]), end + 1)
        }
    }

    /// The lines from one place to another, without the last line feed.
    func text(_ range: Range<Int>) -> String { state.withLock { String(bytes: $0.bytes[range].dropLast()) } }

    /// Whether the line at a place begins with a visible character of ASCII that does not make it a remark. By its first
    /// byte: it is asked of every line.
    func isFlush(at place: Int) -> Bool {
        state.withLock { (0x21...0x7E).contains($0.bytes[place]) && $0.bytes[place] != UInt8(ascii: "#") }
    }

    // MARK: Entries

    /// How many entries there are.
    var count: Int { state.withLock { $0.starts.count } }

    /// Adds the entry whose line begins at a place; returns its number.
    func addEntry(at place: Int) -> Int {
        state.withLock { state in
            state.starts.append(place)
            return state.starts.count - 1
        }
    }

    /// An entry, made from its lines.
    subscript(number: Int) -> ListEntry {
        let (start, end) = state.withLock { ($0.starts[number], $0.bytes.count) }
        var list = URLList(start..<end, of: self, name: "")
        guard case .entry(let entry, _)? = list.next() else { preconditionFailure("A line has changed.") }
        return entry
    }

    /// The number in the name of an entry's file; `nil` where it has none.
    func fileNumber(of number: Int) -> Int? { state.withLock { $0.fileNumbers[number] } }

    func setFileNumber(_ fileNumber: Int, of number: Int) { state.withLock { $0.fileNumbers[number] = fileNumber } }
}
