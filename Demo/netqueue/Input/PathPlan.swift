import Foundation
import NetworkQueueKit

/// Determines a file's path below the folder from its URL and the options alone. No path leaves the folder.
struct PathRule: Sendable {
    /// The number of leading components (the host, then folders) to leave out; `nil` leaves out all of them.
    let strip: Int?

    /// The path that an entry asks for, whether or not another file has it.
    func wish(of entry: ListEntry) -> [String] { entry.path ?? path(ofURL: entry.address) }

    /// The path of an entry, with a number in the file name if it has one because another file has the path.
    func path(of entry: ListEntry, fileNumber: Int?) -> [String] {
        let wish = wish(of: entry)
        guard let fileNumber, let name = wish.last else { return wish }
        return wish.dropLast() + [Self.numbered(name, fileNumber)]
    }

    /// The path for a URL.
    func path(ofURL text: String) -> [String] {
        let components = SafeFileName.components(ofURL: text)
        guard let strip else { return components.suffix(1) }
        if strip > 0 { return Array(components.dropFirst(min(strip, components.count) - 1)) }
        return [Self.host(ofURL: text)] + components
    }

    /// The host as a folder name, with the port if the URL has one.
    private static func host(ofURL text: String) -> String {
        // Foundation's parsing is slow, and is only needed for a login, an IPv6 address and a host of dots.
        let slash = UInt8(ascii: "/")
        let authority = text.utf8.drop { $0 != slash }.dropFirst(2).prefix { $0 != slash }
        if let first = authority.first, first != UInt8(ascii: "."), !authority.contains(where: "@[".utf8.contains) {
            return String(Substring(authority))
        }
        let url = ListEntry(address: text).url
        let name = (url.host() ?? "").lowercased()
        let host = name.contains(byte: "/") || name.allSatisfy { $0 == "." } ? "_" : name
        return url.port.map { "\(host):\($0)" } ?? host
    }

    /// Inserts a number into a file name: `name-2.ext` for `name.ext`.
    static func numbered(_ name: String, _ number: Int) -> String {
        var (stem, end) = SafeFileName.split(name)
        end = "-\(number)" + end
        // File systems allow 255 bytes.
        while stem.utf8.count + end.utf8.count > 255, !stem.isEmpty { stem.unicodeScalars.removeLast() }
        return stem + end
    }
}

/// Assigns paths below a folder to the files of a run.
///
/// A path depends only on the URL and the options, so a growing list never moves earlier files. Whether two files
/// collide depends on the whole list; of each file the plan keeps only where to find its name.
struct PathPlan: Sendable {
    /// A collision between two files of a run.
    struct Clash: Error, Hashable {
        /// The earlier entry.
        let first: ListEntry
        let second: ListEntry
        /// The path that both want, one of them possibly as a folder.
        let path: String
        let isFolder: Bool
    }

    /// Which files get a number if another file has their path.
    enum Numbering {
        case none
        /// Files whose path comes from their URL, because that is not their final name.
        case unnamed
        case all
    }

    let rule: PathRule
    let numbering: Numbering
    private let store: ListStore
    /// Finds the entry with a path, whose components are joined by slashes.
    private var files = LineTable()
    /// Finds the first entry that needs a folder.
    private var folders = LineTable()
    /// Up to 1,000 folders that files have: most files are in the folder of an earlier one, whose line need not be
    /// parsed again.
    private var usedFolders: Set<ByteText> = []
    /// The last number given for each path that several files want.
    private var numbers: [ByteText: Int] = [:]

    /// - Parameter store: The store that contains the entries.
    init(_ rule: PathRule, numbering: Numbering = .none, store: ListStore) {
        self.rule = rule
        self.numbering = numbering
        self.store = store
    }

    /// Reserves the folders of an entry, so that no file takes their names. With numbering, call this for all entries
    /// of a portion before the first of them claims its path.
    mutating func claimFolders(of entry: ListEntry, _ number: Int) { claimFolders(of: rule.wish(of: entry), number) }

    /// Assigns a path to an entry.
    mutating func claim(_ entry: ListEntry, _ number: Int) throws(Clash) -> [String] {
        var path = rule.wish(of: entry)
        if numbering == .all || numbering == .unnamed && entry.path == nil, let fileNumber = freeNumber(for: path) {
            store.setFileNumber(fileNumber, of: number)
            path = rule.path(of: entry, fileNumber: fileNumber)
        }
        let joined = Self.joined(path[...])
        let file = file(joined)
        if let first = file ?? folder(joined) {
            throw Clash(first: store[first], second: entry, path: joined, isFolder: file == nil)
        }
        let folder = ByteText(Self.joined(path.dropLast()))
        if !usedFolders.contains(folder) {
            for depth in path.indices.dropFirst() {
                let folder = Self.joined(path[..<depth])
                if let first = self.file(folder) {
                    throw Clash(first: store[first], second: entry, path: folder, isFolder: true)
                }
            }
            claimFolders(of: path, number)
            if usedFolders.count == 1000 { usedFolders = [] }
            usedFolders.insert(folder)
        }
        files.insert(number, for: joined)
        return path
    }

    private mutating func claimFolders(of path: [String], _ number: Int) {
        var path = path.dropLast()
        while !path.isEmpty, case let joined = Self.joined(path), folder(joined) == nil {
            folders.insert(number, for: joined)
            path = path.dropLast()
        }
    }

    /// The entry with a path.
    private func file(_ path: String) -> Int? { files.number(of: path) { joinedPath(of: $0).equals(bytesOf: path) } }

    /// The first entry that needs a folder.
    private func folder(_ path: String) -> Int? {
        folders.number(of: path) { joinedPath(of: $0).starts(withBytesOf: path + "/") }
    }

    private func joinedPath(of number: Int) -> String {
        Self.joined(rule.path(of: store[number], fileNumber: store.fileNumber(of: number))[...])
    }

    /// The components of a path, none of which contains a slash, as one text, which is faster to look up.
    private static func joined(_ path: ArraySlice<String>) -> String {
        path.count == 1 ? path[path.startIndex] : path.joined(separator: "/")
    }

    /// The number to add to a file name whose path is taken by a file or folder; `nil` if the path is free.
    private mutating func freeNumber(for path: [String]) -> Int? {
        guard let name = path.last else { return nil }
        let wish = ByteText(Self.joined(path[...]))
        var number: Int?
        var candidate = path
        while case let joined = Self.joined(candidate[...]), file(joined) != nil || folder(joined) != nil {
            let next = (numbers[wish] ?? 1) + 1
            numbers[wish] = next
            number = next
            candidate[candidate.count - 1] = PathRule.numbered(name, next)
        }
        return number
    }
}
