import Foundation
import NetworkQueueKit

/// The lines of the command line and of all lists, as bytes. A waiting download is only the number of an entry in this
/// store, from which its objects are created in time: a list may have a million lines.
final class ListStore: Sendable {
    private struct State {
        /// All lists in succession. Each line ends with a line feed.
        var bytes: [UInt8] = []
        /// The offsets from which lines have another source than those before them.
        var sources: [(start: Int, source: ListSource)] = []
        /// The ranges of the entries' lines, in the order they were added. A range ends with the entry's last field, so
        /// that an entry never gets fields of the list that was added next.
        var entries: [Range<Int>] = []
        /// The number added to the file name, for entries that have one.
        var fileNumbers: [Int: Int] = [:]
        /// Up to 1,000 origins that parsing keeps as they are. A URL with one of them need not be parsed.
        var origins: Set<ByteText> = []
    }

    private static let feed = UInt8(ascii: "\n")
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private let state = Locked(State())

    /// Adds a list with line ends of any system; returns the range of its lines.
    func append(_ text: some Collection<UInt8>, from source: ListSource = ListSource()) -> Range<Int> {
        state.withLock { state in
            let start = state.bytes.count
            if state.sources.last?.source != source { state.sources.append((start, source)) }
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

    /// The line at an offset, and the offset of the next line.
    func line(at place: Int) -> (text: String, end: Int) {
        state.withLock { state in
            state.bytes.withUnsafeBufferPointer { bytes in
                let end = bytes[place...].firstIndex(of: Self.feed) ?? bytes.endIndex
                return (String(bytes: bytes[place..<end]), end + 1)
            }
        }
    }

    /// The source of the line at an offset.
    func source(at place: Int) -> ListSource {
        state.withLock { $0.sources.last { $0.start <= place }?.source ?? ListSource() }
    }

    /// Whether one of the lists consists of JSON lines.
    var hasJSON: Bool { state.withLock { $0.sources.contains(where: \.source.isJSON) } }

    /// The bytes of the lines in a range, without the last line feed.
    func bytes(_ range: Range<Int>) -> [UInt8] { state.withLock { $0.bytes[range].dropLast() } }

    /// The lines in a range, without the last line feed.
    func text(_ range: Range<Int>) -> String { state.withLock { String(bytes: $0.bytes[range].dropLast()) } }

    /// Whether the line at an offset starts with a visible ASCII character other than `#`. Only the first byte is
    /// checked, because this is called for every line.
    func isFlush(at place: Int) -> Bool {
        state.withLock { (0x21...0x7E).contains($0.bytes[place]) && $0.bytes[place] != UInt8(ascii: "#") }
    }

    /// The text of the URL that `text` is parsed as; `nil` if it is not a URL.
    ///
    /// - Parameter base: The URL to which it may be relative.
    func address(_ text: String, relativeTo base: URL?) -> String? {
        let origin = URL.originLength(beforeEncodedPathOf: text).map { ByteText(Substring(text.utf8.prefix($0))) }
        if let origin, state.withLock({ $0.origins.contains(origin) }) { return text }
        guard let address = URLText.url(text, relativeTo: base)?.absoluteString else { return nil }
        if let origin, address.equals(bytesOf: text) {
            state.withLock { state in
                if state.origins.count == 1000 { state.origins = [] }
                state.origins.insert(origin)
            }
        }
        return address
    }

    // MARK: Entries

    /// The number of entries.
    var count: Int { state.withLock { $0.entries.count } }

    /// Adds the entry with these lines; returns its number.
    func addEntry(_ lines: Range<Int>) -> Int {
        state.withLock { state in
            state.entries.append(lines)
            return state.entries.count - 1
        }
    }

    /// The entry with a number, parsed from its lines.
    subscript(number: Int) -> ListEntry {
        var list = URLList(state.withLock { $0.entries[number] }, of: self, name: "")
        guard case .entry(let entry, _)? = list.next() else { preconditionFailure("A line has changed.") }
        return entry
    }

    /// The number in the file name of an entry; `nil` if it has none.
    func fileNumber(of number: Int) -> Int? { state.withLock { $0.fileNumbers[number] } }

    func setFileNumber(_ fileNumber: Int, of number: Int) { state.withLock { $0.fileNumbers[number] = fileNumber } }
}
