import Foundation
import NetworkQueueKit

/// The checksums of a batch (`--checksums`), with a record of those that were used.
final class ChecksumBook: Sendable {
    private struct Use {
        var names: Set<ByteText> = []
        var filesWithout: [String] = []
    }

    /// The checksum by file name, with its components joined by slashes; the strongest if a file has several.
    private let checksums: [ByteText: NetworkRequest.Checksum]
    /// The names in the order of the lists.
    let names: [String]
    /// Invalid lines, and lines that contradict another line about the same file.
    let bad: [JobFailure]
    /// The checksum of the single file; `nil` if the lists have names.
    private let bare: NetworkRequest.Checksum?
    private let source: String
    private let use = Locked(Use())

    /// Reads the lists. A list without any checksum is an error, because it is the wrong file.
    ///
    /// - Parameter remote: The lists that are not files.
    init(_ options: Options, _ remote: RemoteLists) throws(UsageError) {
        // For a single URL, a list may be a checksum without a name.
        let isForOne = options.operands.count == 1 && options.lists.isEmpty
        var bare: NetworkRequest.Checksum?
        var checksums: [ByteText: [NetworkRequest.Checksum]] = [:]
        var names: [String] = []
        var bad: [JobFailure] = []
        var sources: [String] = []
        for path in options.checksumLists {
            let (content, path, _) = try remote.read(path, for: "--checksums:")
            sources.append(path)
            let list = ChecksumList(text: String(bytes: content), name: path)
            if let checksum = list.bare {
                guard isForOne else {
                    throw UsageError("--checksums: “\(path)” has no file name, so it needs a single URL")
                }
                bare = checksum
            } else if list.lines.isEmpty {
                throw UsageError("--checksums: “\(path)” contains no checksum")
            }
            bad += list.badLines
            for line in list.lines {
                let name = line.name.joined(separator: "/")
                let key = ByteText(name)
                let known = checksums[key, default: []]
                if known.contains(where: { $0.name == line.checksum.name && $0.digits != line.checksum.digits }) {
                    bad.append(
                        ChecksumList.failure(
                            line.place, "another line has a different \(line.checksum.name) for “\(name)”"))
                    continue
                }
                if known.isEmpty { names.append(name) }
                checksums[key] = known + [line.checksum]
            }
        }
        // Longer hashes are stronger.
        self.checksums = checksums.compactMapValues { $0.max { $0.digitCount < $1.digitCount } }
        (self.names, self.bad, self.bare) = (names, bad, bare)
        source = sources.joined(separator: ", ")
    }

    /// The checksum of a name in the lists.
    subscript(name: String) -> NetworkRequest.Checksum? { checksums[ByteText(name)] }

    /// Adds the checksum of an entry's file. A checksum in the entry's own list takes precedence.
    ///
    /// The lists may name a file by its path below the folder, or by a suffix of its URL's path, because checksum lists
    /// name files relative to themselves. The longest matching suffix counts.
    ///
    /// - Parameter path: The path of the entry's file below the folder; `nil` if it goes elsewhere.
    /// - Returns: A complaint if both have different checksums of the same kind.
    func add(to entry: inout ListEntry, path: String?) -> String? {
        guard let checksum = name(of: entry.url, path: path).flatMap({ self[$0] }) ?? bare else { return nil }
        guard let own = entry.checksum else {
            entry.checksum = checksum
            return nil
        }
        guard own.name == checksum.name, own.digits != checksum.digits else { return nil }
        return "“checksum=” and \(source) have a different \(own.name)"
    }

    /// Records, for the remarks at the end, which line applies to an entry, or that the entry has no checksum.
    func note(_ entry: ListEntry, path: String?) {
        if let name = name(of: entry.url, path: path) {
            use.withLock { _ = $0.names.insert(ByteText(name)) }
        } else if entry.checksum == nil, bare == nil {
            use.withLock { $0.filesWithout.append(path ?? URLText.shown(entry.url)) }
        }
    }

    private func name(of url: URL, path: String?) -> String? {
        if let path, self[path] != nil { return path }
        var components = ChecksumList.components(url.path(percentEncoded: false))[...]
        while !components.isEmpty, case let name = components.joined(separator: "/") {
            if self[name] != nil { return name }
            components.removeFirst()
        }
        return nil
    }

    /// The remarks at the end: files without a line and, if the whole list has been processed, lines without a file.
    func remarks(ofAll isWhole: Bool) -> [String] {
        let use = use.withLock { $0 }
        let unused = isWhole ? names.filter { !use.names.contains(ByteText($0)) } : []
        return [
            use.filesWithout.remark("file has no line in \(source)", "files have no line in \(source)"),
            unused.remark("line of \(source) matches no file", "lines of \(source) match no file"),
        ].compactMap(\.self)
    }
}

extension [String] {
    /// The maximum number of names in a remark.
    private static let mostNames = 5

    /// A line that says the same of all these names; `nil` if there are none.
    func remark(_ one: String, _ many: String) -> String? {
        guard !isEmpty else { return nil }
        let rest = count > Self.mostNames ? " and \(count - Self.mostNames) more" : ""
        return "\(count) \(count == 1 ? one : many): " + prefix(Self.mostNames).joined(separator: ", ") + rest
    }
}
