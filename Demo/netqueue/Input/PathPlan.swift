import Foundation
import NetworkQueueKit

/// The path that a file has below the folder by its URL and the options alone. No path leaves the folder.
struct PathRule: Sendable {
    /// How many of host and folders are left out; `nil` leaves out all of them.
    let strip: Int?

    /// The path that an entry asks for, whether it is taken or not.
    func wish(of entry: ListEntry) -> [String] { entry.path ?? path(of: entry.url) }

    /// The same with a number in its name, as it is where another file has that path.
    func path(of entry: ListEntry, fileNumber: Int?) -> [String] {
        let wish = wish(of: entry)
        guard let fileNumber, let name = wish.last else { return wish }
        return wish.dropLast() + [Self.numbered(name, fileNumber)]
    }

    /// The path of a URL's file.
    func path(of url: URL) -> [String] {
        let components = url.safePathComponents
        guard let strip else { return components.suffix(1) }
        let full = [Self.host(url)] + components
        return Array(full.dropFirst(min(strip, full.count - 1)))
    }

    /// The host as a folder's name, with the port where the URL has one.
    private static func host(_ url: URL) -> String {
        let name = (url.host() ?? "").lowercased()
        let host = name.contains("/") || name.allSatisfy { $0 == "." } ? "_" : name
        return url.port.map { "\(host):\($0)" } ?? host
    }

    /// `name-2.ext` for `name.ext`.
    static func numbered(_ name: String, _ number: Int) -> String {
        let file = URL(filePath: name, directoryHint: .notDirectory)
        let stem = file.deletingPathExtension().lastPathComponent
        return file.pathExtension.isEmpty ? "\(name)-\(number)" : "\(stem)-\(number).\(file.pathExtension)"
    }
}

/// Decides where below a folder the files of a run go.
///
/// It depends on the URL and the options alone, so that a list may grow without anything moving. Whether two files are
/// in each other's way depends on the whole list: of each it keeps where to find its name.
struct PathPlan: Sendable {
    /// Two files of a run that would be in each other's way.
    struct Clash: Error, Hashable {
        /// The first was there before the second.
        let first: ListEntry
        let second: ListEntry
        /// The path that both want; the second may need it as a folder, or the first.
        let path: String
        let isFolder: Bool
    }

    /// Which files get a number where another has their path.
    enum Numbering {
        case none
        /// Those whose path is that of their URL: it is not what they are called in the end.
        case unnamed
        case all
    }

    let rule: PathRule
    let numbering: Numbering
    private let store: ListStore
    /// Finds the entry that has a path, whose parts are joined by slashes.
    private var files = LineTable()
    /// Finds the first entry that needs a folder.
    private var folders = LineTable()
    /// The folder of the latest file: most files have that of the one before them.
    private var latestFolder = ""
    /// How many files have wanted the same path, for its next number.
    private var numbers: [String: Int] = [:]

    /// - Parameter store: has the entries.
    init(_ rule: PathRule, numbering: Numbering = .none, store: ListStore) {
        self.rule = rule
        self.numbering = numbering
        self.store = store
    }

    /// Keeps the folders of an entry from being the names of files. With numbers, it is called for each of those that
    /// come together before the first of them gets its path.
    mutating func claimFolders(of entry: ListEntry, _ number: Int) { claimFolders(of: rule.wish(of: entry), number) }

    /// Gives an entry its path.
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
        for depth in path.indices.dropFirst() {
            let folder = Self.joined(path[..<depth])
            if isLatest(folder) { continue }
            if let first = self.file(folder) {
                throw Clash(first: store[first], second: entry, path: folder, isFolder: true)
            }
        }
        claimFolders(of: path, number)
        latestFolder = Self.joined(path.dropLast())
        files.insert(number, for: joined)
        return path
    }

    private mutating func claimFolders(of path: [String], _ number: Int) {
        var path = path.dropLast()
        while !path.isEmpty, case let joined = Self.joined(path), !isLatest(joined), folder(joined) == nil {
            folders.insert(number, for: joined)
            path = path.dropLast()
        }
    }

    /// Whether a folder is that of the latest file, or above it.
    private func isLatest(_ folder: String) -> Bool {
        latestFolder.utf8.starts(with: folder.utf8)
            && (latestFolder.utf8.count == folder.utf8.count
                || latestFolder.utf8.dropFirst(folder.utf8.count).first == UInt8(ascii: "/"))
    }

    /// The entry that has a path.
    private func file(_ path: String) -> Int? { files.number(of: path) { joinedPath(of: $0) == path } }

    /// The first entry that needs a folder.
    private func folder(_ path: String) -> Int? {
        folders.number(of: path) { joinedPath(of: $0).utf8.starts(with: (path + "/").utf8) }
    }

    private func joinedPath(of number: Int) -> String {
        Self.joined(rule.path(of: store[number], fileNumber: store.fileNumber(of: number))[...])
    }

    /// The parts of a path, none of which has a slash, as one text, which is found faster.
    private static func joined(_ path: ArraySlice<String>) -> String {
        path.count == 1 ? path[path.startIndex] : path.joined(separator: "/")
    }

    /// The number to be added to the name of a path that is taken already, by a file or a folder; `nil` for one that is
    /// free.
    private mutating func freeNumber(for path: [String]) -> Int? {
        guard let name = path.last else { return nil }
        let wish = Self.joined(path[...])
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
