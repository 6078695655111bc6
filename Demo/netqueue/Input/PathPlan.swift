import Foundation
import NetworkQueueKit

/// Decides where below a folder the files of a run go.
///
/// It depends on the URL and the options alone, so that a list may grow without anything moving. No path leaves the
/// folder.
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

    /// How many of host and folders are left out; `nil` leaves out all of them.
    private let strip: Int?
    /// Which files get a number where another has their path.
    enum Numbering {
        case none
        /// Those whose path is that of their URL: it is not what they are called in the end.
        case unnamed
        case all
    }

    private let numbering: Numbering
    /// The paths that are given away, their parts joined by slashes, with the entries that have them.
    private var files: [String: ListEntry] = [:]
    /// The folders of these, each with the first entry that needs it.
    private var folders: [String: ListEntry] = [:]
    /// How many files have wanted the same path, for its next number.
    private var numbers: [String: Int] = [:]

    init(strip: Int? = nil, numbering: Numbering = .none) {
        self.strip = strip
        self.numbering = numbering
    }

    /// The path that an entry asks for, whether it is taken or not.
    func wish(of entry: ListEntry) -> [String] { entry.path ?? path(of: entry.url) }

    /// The path of a URL's file.
    func path(of url: URL) -> [String] {
        let components = url.safePathComponents
        guard let strip else { return components.suffix(1) }
        let full = [Self.host(url)] + components
        return Array(full.dropFirst(min(strip, full.count - 1)))
    }

    /// Gives entries their paths, in order: a folder that one of them needs is no file of another that comes with it.
    mutating func paths(of entries: [ListEntry]) -> [Result<[String], Clash>] {
        let wishes = entries.map { wish(of: $0) }
        files.reserveCapacity(files.count + entries.count)
        if numbering != .none {
            for (wish, entry) in zip(wishes, entries) { claimFolders(of: wish, for: entry) }
        }
        return zip(wishes, entries).map { wish, entry in
            do throws(Clash) {
                let isNumbered = numbering == .all || numbering == .unnamed && entry.path == nil
                return .success(try claim(isNumbered ? numbered(wish) : wish, for: entry))
            } catch {
                return .failure(error)
            }
        }
    }

    /// The host as a folder's name, with the port where the URL has one.
    private static func host(_ url: URL) -> String {
        let name = (url.host() ?? "").lowercased()
        let host = name.contains("/") || name.allSatisfy { $0 == "." } ? "_" : name
        return url.port.map { "\(host):\($0)" } ?? host
    }

    private mutating func claim(_ path: [String], for entry: ListEntry) throws(Clash) -> [String] {
        let joined = Self.joined(path[...])
        if let first = files[joined] ?? folders[joined] {
            throw Clash(first: first, second: entry, path: joined, isFolder: files[joined] == nil)
        }
        for depth in path.indices.dropFirst() {
            let folder = Self.joined(path[..<depth])
            if let first = files[folder] { throw Clash(first: first, second: entry, path: folder, isFolder: true) }
        }
        claimFolders(of: path, for: entry)
        files[joined] = entry
        return path
    }

    private mutating func claimFolders(of path: [String], for entry: ListEntry) {
        var folder = path.dropLast()
        while !folder.isEmpty, case let joined = Self.joined(folder), folders[joined] == nil {
            folders[joined] = entry
            folder = folder.dropLast()
        }
    }

    /// The parts of a path, none of which has a slash, as one text, which is found faster.
    private static func joined(_ path: ArraySlice<String>) -> String {
        path.count == 1 ? path[path.startIndex] : path.joined(separator: "/")
    }

    /// The path, with a number added to its name where it is taken already, by a file or a folder.
    private mutating func numbered(_ path: [String]) -> [String] {
        guard let name = path.last else { return path }
        let wish = Self.joined(path[...])
        var candidate = path
        while case let joined = Self.joined(candidate[...]), files[joined] != nil || folders[joined] != nil {
            let number = (numbers[wish] ?? 1) + 1
            numbers[wish] = number
            candidate[candidate.count - 1] = Self.numbered(name, number)
        }
        return candidate
    }

    /// `name-2.ext` for `name.ext`.
    private static func numbered(_ name: String, _ number: Int) -> String {
        let file = URL(filePath: name, directoryHint: .notDirectory)
        let stem = file.deletingPathExtension().lastPathComponent
        return file.pathExtension.isEmpty ? "\(name)-\(number)" : "\(stem)-\(number).\(file.pathExtension)"
    }
}
