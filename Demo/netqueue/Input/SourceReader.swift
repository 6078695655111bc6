import Foundation
import NetworkQueueKit

/// Reads the URLs of a command line and its lists.
///
/// The standard input is read last, and as it arrives.
struct SourceReader: Sendable {
    /// What has been read at one time.
    struct Portion {
        /// In order; each URL with the same fields once, whatever its fragment, however many portions there are.
        var entries: [ListEntry] = []
        /// Lines of lists that are no URLs.
        var bad: [JobFailure] = []
    }

    private let options: SourceOptions
    private let checksum: NetworkRequest.Checksum?
    /// The identities of all that has been read.
    private var seen: Set<String> = []
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
    static func readAll(_ options: SourceOptions) throws(UsageError) -> Portion {
        var reader = SourceReader(options)
        var all = Portion()
        while let portion = try reader.next() {
            all.entries += portion.entries
            all.bad += portion.bad
        }
        return all
    }

    /// Whether ``next()`` may have more to tell.
    var hasMore: Bool { !hasBegun || input.map { !$0.isAtEnd } ?? false }

    /// Waits for the next URLs, and returns them; `nil` at the end. The first are those of the command line and of the
    /// files.
    ///
    /// A line of a list that is not a URL fails like a download; a word of the command line that is not one has been
    /// mistyped.
    mutating func next() throws(UsageError) -> Portion? {
        var portion = Portion()
        if !hasBegun {
            hasBegun = true
            portion = try given()
        }
        while portion.entries.isEmpty, portion.bad.isEmpty {
            guard let list = try nextOfInput() else { return nil }
            portion = self.portion(list.entries, list)
        }
        return portion
    }

    /// The URLs of the command line and of the files.
    private mutating func given() throws(UsageError) -> Portion {
        var entries: [ListEntry] = []
        for text in options.urls {
            guard let url = URLText.url(text) else { throw UsageError(URLText.complaint(text)) }
            entries.append(ListEntry(url: url, checksum: checksum))
        }
        var portion = portion(entries)
        for path in options.lists where path != SourceOptions.standardInput {
            do {
                let list = try URLList(contentsOf: path)
                let more = self.portion(list.entries, list)
                portion.entries += more.entries
                portion.bad += more.bad
            } catch {
                throw UsageError("the list “\(path)” cannot be read: \(error.reason)")
            }
        }
        return portion
    }

    private mutating func nextOfInput() throws(UsageError) -> URLList? {
        do throws(POSIXError) {
            guard let text = try input?.next() else { return nil }
            defer { inputLineCount += text.utf8.count(where: { $0 == UInt8(ascii: "\n") }) }
            return URLList(text: text, name: "standard input", firstLine: inputLineCount + 1)
        } catch {
            throw UsageError("the list “-” cannot be read: \(error.reason)")
        }
    }

    private mutating func portion(_ entries: [ListEntry], _ list: URLList? = nil) -> Portion {
        seen.reserveCapacity(seen.count + entries.count)
        var portion = Portion(entries: entries.filter { seen.insert($0.identity).inserted })
        if let shard = options.shard { portion.entries.removeAll { !shard.contains($0.url) } }
        portion.bad = (list?.badLines ?? []).map {
            JobFailure(source: $0.place, reason: $0.reason, kind: "wrong line of a list", lines: $0.text, code: .line)
        }
        // Each is told of on one machine, too.
        if let shard = options.shard { portion.bad.removeAll { !shard.contains($0.lines ?? "") } }
        return portion
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
