import Foundation
import NetworkQueueKit

/// Reads the URLs of the command line and its lists.
///
/// The standard input is read last, as it arrives.
struct SourceReader: Sendable {
    enum Item {
        /// A URL with its fields, and its number in the store. URLs that are equal except for their fragments, with
        /// equal fields, occur once.
        case entry(ListEntry, number: Int)
        /// An invalid line of a list.
        case bad(JobFailure)
    }

    /// All loaded lines.
    let store = ListStore()
    private let options: Options
    /// Finds an entry by its identity, because duplicates depend on the whole list.
    private var seen = LineTable()
    /// The lists that have been loaded but not read completely.
    private var lists: ArraySlice<URLList> = []
    private var hasBegun = false
    private var input: LineReader?
    /// Ends the standard input for this program when its writing end is closed.
    private let stop: Pipe?
    private var inputLineCount = 0
    /// The form of the standard input, once it is known.
    private var inputSource: ListSource?
    /// Whether what ``next()`` returns comes from the standard input.
    private(set) var isReadingInput = false
    private let remote: RemoteLists
    /// The servers to which those of the user's own lists are added.
    private let trusted: TrustedOrigins?

    /// - Parameter settings: Has the lists that were fetched.
    init(_ options: Options, _ settings: RunSettings) {
        self.options = options
        (remote, trusted) = (settings.lists, settings.trusted)
        guard options.lists.contains(Options.standardInput) else {
            stop = nil
            return
        }
        let stop = Pipe()
        self.stop = stop
        input = LineReader(
            descriptor: FileHandle.standardInput.fileDescriptor, stop: stop.fileHandleForReading.fileDescriptor)
    }

    /// Reads everything, including the standard input until its end.
    static func readAll(
        _ options: Options, _ settings: RunSettings
    ) throws(UsageError) -> (entries: [ListEntry], bad: [JobFailure]) {
        var reader = SourceReader(options, settings)
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

    /// Ends the standard input: ``load()`` returns the complete lines that have been read, and nothing after them. May
    /// be called on another thread.
    var endInput: @Sendable () -> Void {
        { [stop] in try? stop?.fileHandleForWriting.close() }
    }

    /// Whether ``load()`` may load more.
    var hasMore: Bool { !hasBegun || input.map { !$0.isAtEnd } ?? false }

    /// Waits for more lines, which ``next()`` then returns; returns `false` at the end. The first call loads the URLs
    /// of the command line and of all files.
    mutating func load() throws(UsageError) -> Bool {
        guard hasBegun else {
            hasBegun = true
            lists = try given()[...]
            return true
        }
        guard let list = try nextOfInput() else { return false }
        isReadingInput = true
        lists = [list]
        return true
    }

    /// The next URL or invalid line that has been loaded; `nil` if there is none.
    ///
    /// An invalid line of a list fails like a download. An invalid URL on the command line is a usage error, which
    /// ``load()`` throws.
    mutating func next() -> Item? {
        while !lists.isEmpty {
            let item = lists[lists.startIndex].next()
            let isOwn = lists[lists.startIndex].source.url == nil
            switch item {
            case nil: lists.removeFirst()
            case .bad(let failure)?:
                // Each invalid line is reported by one machine only.
                if let shard = options.shard, !shard.contains(failure.lines?.text() ?? "") { continue }
                return .bad(failure)
            case .entry(let entry, let lines)?:
                if let shard = options.shard, !shard.contains(entry) { continue }
                let identity = entry.identity
                guard seen.number(of: identity, where: { store[$0].identity.equals(bytesOf: identity) }) == nil else {
                    continue
                }
                if isOwn, let trusted { for url in [entry.url] + entry.mirrors { trusted.insert(url) } }
                let number = store.addEntry(lines)
                seen.insert(number, for: identity)
                return .entry(entry, number: number)
            }
        }
        return nil
    }

    /// The URLs of the command line and of the list files.
    private func given() throws(UsageError) -> [URLList] {
        var lines = ""
        for text in options.operands {
            guard let url = URLText.url(text) else { throw UsageError(URLText.complaint(text)) }
            lines += ListEntry(address: url.absoluteString, checksum: options.checksum).line + "\n"
        }
        var lists = [URLList(store.append(lines.utf8), of: store, name: "command line")]
        for path in options.lists where path != Options.standardInput {
            let list = try remote.read(path, for: "the list")
            let lines = store.append(list.content, from: ListSource(url: list.url, content: list.content))
            lists.append(URLList(lines, of: store, name: list.name))
        }
        return lists
    }

    private mutating func nextOfInput() throws(UsageError) -> URLList? {
        let text: [UInt8]
        do throws(POSIXError) {
            guard let next = try input?.next() else { return nil }
            text = next
        } catch {
            throw UsageError("the list “-” cannot be read: \(error.reason)")
        }
        if inputLineCount == 0, text.isUTF16 { throw UsageError("the list “-” \(UsageError.isUTF16)") }
        // The first visible byte may come after blank lines that were written before a pause.
        if inputSource == nil, text.firstVisible != nil { inputSource = ListSource(content: text) }
        defer { inputLineCount += text.count { $0 == UInt8(ascii: "\n") } }
        return URLList(
            store.append(text, from: inputSource ?? ListSource()), of: store, name: "standard input",
            firstLine: inputLineCount + 1)
    }
}

extension Options {
    /// The message if there is nothing for `verb`.
    func emptyText(_ verb: String, because reason: String = "no list contains a URL") -> String {
        shard.map { "Nothing in shard \($0.text).\n" } ?? "Nothing to \(verb): \(reason).\n"
    }
}

extension Options.Shard {
    func contains(_ entry: ListEntry) -> Bool { contains(entry.addressWithoutFragment) }

    /// Whether a line belongs to this shard, according to a hash (FNV-1a) that is the same on every machine.
    func contains(_ line: String) -> Bool {
        let hash = line.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        // The low bits alone would depend on few of the letters.
        return (hash ^ hash >> 32) % UInt64(count) == UInt64(number - 1)
    }
}
