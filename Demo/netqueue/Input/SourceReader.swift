import Foundation
import NetworkQueueKit

/// Reads the URLs of a command line and its lists.
///
/// The standard input is read last, and as it arrives.
struct SourceReader: Sendable {
    enum Item {
        /// A URL with its fields, and its number in the store. Each URL with the same fields comes once, whatever its
        /// fragment.
        case entry(ListEntry, number: Int)
        /// A line of a list that is not a URL.
        case bad(JobFailure)
    }

    /// The lines of all that has been loaded.
    let store = ListStore()
    private let options: SourceOptions
    private let checksum: NetworkRequest.Checksum?
    /// Finds an entry by its identity: which URLs come twice depends on the whole list.
    private var seen = LineTable()
    /// What has been loaded and not read.
    private var lists: ArraySlice<URLList> = []
    private var hasBegun = false
    private var input: LineReader?
    private var inputLineCount = 0

    init(_ options: SourceOptions, checksum: NetworkRequest.Checksum? = nil) {
        self.options = options
        self.checksum = checksum
        if options.lists.contains(SourceOptions.standardInput) {
            input = LineReader(descriptor: FileHandle.standardInput.fileDescriptor)
        }
    }

    /// All that there is.
    static func readAll(_ options: SourceOptions) throws(UsageError) -> (entries: [ListEntry], bad: [JobFailure]) {
        var reader = SourceReader(options)
        var all: (entries: [ListEntry], bad: [JobFailure]) = ([], [])
        while try reader.load() {
            while let item = reader.next() {
                switch item {
                case .entry(let entry, _): all.entries.append(entry)
                case .bad(let failure): all.bad.append(failure)
                }
            }
        }
        return all
    }

    /// Whether ``load()`` may have more.
    var hasMore: Bool { !hasBegun || input.map { !$0.isAtEnd } ?? false }

    /// Waits for the next lines, which ``next()`` then has; `false` at the end. The first are those of the command line
    /// and of the files.
    mutating func load() throws(UsageError) -> Bool {
        guard hasBegun else {
            hasBegun = true
            lists = try given()[...]
            return true
        }
        guard let list = try nextOfInput() else { return false }
        lists = [list]
        return true
    }

    /// The next URL or wrong line of what has been loaded; `nil` at its end.
    ///
    /// A line of a list that is not a URL fails like a download; a word of the command line that is not one has been
    /// mistyped.
    mutating func next() -> Item? {
        while !lists.isEmpty {
            switch lists[lists.startIndex].next() {
            case nil: lists.removeFirst()
            case .bad(let line)?:
                // Each is told of on one machine, too.
                if let shard = options.shard, !shard.contains(line.text) { continue }
                return .bad(
                    JobFailure(
                        source: line.place, reason: line.reason, kind: "wrong line of a list", lines: line.text,
                        code: .line))
            case .entry(let entry, let place)?:
                if let shard = options.shard, !shard.contains(entry.url) { continue }
                let identity = entry.identity
                guard seen.number(of: identity, where: { store[$0].identity == identity }) == nil else { continue }
                let number = store.addEntry(at: place)
                seen.insert(number, for: identity)
                return .entry(entry, number: number)
            }
        }
        return nil
    }

    /// The URLs of the command line and of the files.
    private func given() throws(UsageError) -> [URLList] {
        var lines = ""
        for text in options.urls {
            guard let url = URLText.url(text) else { throw UsageError(URLText.complaint(text)) }
            lines += ListEntry(url: url, checksum: checksum).line + "\n"
        }
        var lists = [URLList(store.append(lines.utf8), of: store, name: "command line")]
        for path in options.lists where path != SourceOptions.standardInput {
            do {
                lists.append(URLList(store.append(try SystemFile.read(path)), of: store, name: path))
            } catch {
                throw UsageError("the list “\(path)” cannot be read: \(error.reason)")
            }
        }
        return lists
    }

    private mutating func nextOfInput() throws(UsageError) -> URLList? {
        do throws(POSIXError) {
            guard let text = try input?.next() else { return nil }
            defer { inputLineCount += text.count { $0 == UInt8(ascii: "\n") } }
            return URLList(store.append(text), of: store, name: "standard input", firstLine: inputLineCount + 1)
        } catch {
            throw UsageError("the list “-” cannot be read: \(error.reason)")
        }
    }
}

extension SourceOptions.Shard {
    func contains(_ url: URL) -> Bool { contains(url.absoluteString) }

    /// Whether a line belongs to this part: by a hash (FNV-1a) that is the same on every machine.
    func contains(_ line: String) -> Bool {
        let hash = line.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        // Its low bits alone would depend on few of the letters.
        return (hash ^ hash >> 32) % UInt64(count) == UInt64(number - 1)
    }
}
