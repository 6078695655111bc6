import Foundation
import NetworkQueueKit

/// The checksums of a batch (`--checksums`), and which of them have been of use.
final class ChecksumBook: Sendable {
    private struct Use {
        var names: Set<String> = []
        var filesWithout: [String] = []
    }

    /// How many names a message has.
    private static let mostNames = 5

    /// By the file's name, its parts joined by slashes; of several for one file the strongest.
    private let checksums: [String: NetworkRequest.Checksum]
    /// The names in the order of the lists.
    let names: [String]
    /// Lines that are wrong, or that say of a file what another line denies.
    let bad: [JobFailure]
    private let source: String
    private let use = Locked(Use())

    /// Reads the lists. One that has no checksum at all is the wrong file.
    init(_ paths: [String]) throws(UsageError) {
        var checksums: [String: NetworkRequest.Checksum] = [:]
        var all: [String: Set<NetworkRequest.Checksum>] = [:]
        var names: [String] = []
        var bad: [JobFailure] = []
        for path in paths {
            let list: ChecksumList
            do throws(POSIXError) { list = try ChecksumList(contentsOf: path) } catch {
                throw UsageError("--checksums: “\(path)” cannot be read: \(error.reason)")
            }
            if list.lines.isEmpty { throw UsageError("--checksums: “\(path)” has no checksum in it") }
            bad += list.badLines.map { Self.failure($0.place, $0.reason) }
            for line in list.lines {
                let name = line.name.joined(separator: "/")
                let known = all[name, default: []]
                if known.contains(where: { $0.name == line.checksum.name && $0.digits != line.checksum.digits }) {
                    bad.append(Self.failure(line.place, "another line has another \(line.checksum.name) of “\(name)”"))
                    continue
                }
                all[name, default: []].insert(line.checksum)
                guard let former = checksums[name] else {
                    names.append(name)
                    checksums[name] = line.checksum
                    continue
                }
                // Longer hashes are the stronger ones.
                if line.checksum.digitCount > former.digitCount { checksums[name] = line.checksum }
            }
        }
        (self.checksums, self.names, self.bad) = (checksums, names, bad)
        source = paths.joined(separator: ", ")
    }

    private static func failure(_ place: String, _ reason: String) -> JobFailure {
        JobFailure(source: place, reason: reason, kind: "wrong line of a list of checksums", code: .line)
    }

    /// The checksum of a name in the lists.
    subscript(name: String) -> NetworkRequest.Checksum? { checksums[name] }

    /// Gives an entry the checksum of its file. What its own list says of it counts for more.
    ///
    /// The name in the lists is its path below the folder, or the end of its URL's path, the longest that there is:
    /// lists of checksums have names as they are beside them.
    ///
    /// - Parameter path: the path of its file below the folder; `nil` where it has none.
    /// - Returns: what is wrong, where the two differ.
    func add(to entry: inout ListEntry, path: String?) -> String? {
        guard let name = name(of: entry.url, path: path), let checksum = checksums[name] else { return nil }
        guard let own = entry.checksum else {
            entry.checksum = checksum
            return nil
        }
        guard own.name == checksum.name, own.digits != checksum.digits else { return nil }
        return "“checksum=” and \(source) have another \(own.name) each"
    }

    /// Notes for the remarks at the end which line is of use for an entry, and whether it has none.
    func note(_ entry: ListEntry, path: String?) {
        if let name = name(of: entry.url, path: path) {
            use.withLock { _ = $0.names.insert(name) }
        } else if entry.checksum == nil {
            use.withLock { $0.filesWithout.append(path ?? URLText.shown(entry.url)) }
        }
    }

    private func name(of url: URL, path: String?) -> String? {
        if let path, checksums[path] != nil { return path }
        var components = ChecksumList.components(url.path(percentEncoded: false))[...]
        while !components.isEmpty, case let name = components.joined(separator: "/") {
            if checksums[name] != nil { return name }
            components.removeFirst()
        }
        return nil
    }

    /// What is to be told at the end: files without a line, and, where all of a list has been looked at, lines without
    /// a file.
    func remarks(ofAll isWhole: Bool) -> [String] {
        let use = use.withLock { $0 }
        let unused = isWhole ? names.filter { !use.names.contains($0) } : []
        return [
            Self.remark(use.filesWithout, "file has no line in \(source)", "files have no line in \(source)"),
            Self.remark(unused, "line of \(source) is for no file here", "lines of \(source) are for no file here"),
        ].compactMap(\.self)
    }

    private static func remark(_ names: [String], _ one: String, _ many: String) -> String? {
        guard !names.isEmpty else { return nil }
        let rest = names.count > mostNames ? " and \(names.count - mostNames) more" : ""
        return "netqueue: \(names.count) \(names.count == 1 ? one : many): "
            + names.prefix(mostNames).joined(separator: ", ") + rest
    }
}
