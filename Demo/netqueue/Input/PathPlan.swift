import Foundation
import NetworkQueueKit

/// Decides where below a folder the files of a run go.
///
/// It depends on the URL and the options alone, so that a list may grow without anything moving. No path leaves the folder.
struct PathPlan: Hashable, Sendable {
    /// Two files of a run that would be in each other's way.
    struct Clash: Error, Hashable {
        /// The places of the two in the list that was given.
        let first: Int
        let second: Int
        /// The path that both want; the second may need it as a folder, or the first.
        let path: String
        let isFolder: Bool
    }

    /// How many of host and folders are left out; `nil` leaves out all of them.
    var strip: Int?
    /// Whether files that want the same path get numbers.
    var numbersFiles = false

    /// The path of a URL's file.
    func path(of url: URL) -> [String] {
        let components = url.safePathComponents
        guard let strip else { return components.suffix(1) }
        let full = [Self.host(url)] + components
        return Array(full.dropFirst(min(strip, full.count - 1)))
    }

    /// The paths of entries, in order; throws the first two that do not go together.
    func paths(of entries: [ListEntry]) throws(Clash) -> [[String]] {
        let paths = entries.map { $0.path ?? path(of: $0.url) }
        return numbersFiles ? Self.distinct(paths) : try Self.checked(paths)
    }

    /// The host as a folder's name, with the port where the URL has one.
    private static func host(_ url: URL) -> String {
        let name = (url.host() ?? "").lowercased()
        let host = name.contains("/") || name.allSatisfy { $0 == "." } ? "_" : name
        return url.port.map { "\(host):\($0)" } ?? host
    }

    private static func checked(_ paths: [[String]]) throws(Clash) -> [[String]] {
        var files: [[String]: Int] = [:]
        for (index, path) in paths.enumerated() {
            if let first = files.updateValue(index, forKey: path) {
                throw Clash(first: first, second: index, path: path.joined(separator: "/"), isFolder: false)
            }
        }
        for (index, path) in paths.enumerated() {
            for depth in path.indices.dropFirst() {
                let folder = Array(path[..<depth])
                guard let file = files[folder] else { continue }
                throw Clash(
                    first: min(file, index), second: max(file, index), path: folder.joined(separator: "/"),
                    isFolder: true)
            }
        }
        return paths
    }

    /// The paths with numbers added to the names of files that are taken already, by a file or a folder.
    private static func distinct(_ places: [[String]]) -> [[String]] {
        var taken: Set<[String]> = []
        for place in places {
            var folder = place.dropLast()
            while !folder.isEmpty, taken.insert(Array(folder)).inserted { folder = folder.dropLast() }
        }
        var numbers: [[String]: Int] = [:]
        return places.map { place in
            guard let name = place.last else { return place }
            var candidate = place
            while !taken.insert(candidate).inserted {
                let number = (numbers[place] ?? 1) + 1
                numbers[place] = number
                candidate[candidate.count - 1] = Self.numbered(name, number)
            }
            return candidate
        }
    }

    /// `name-2.ext` for `name.ext`.
    private static func numbered(_ name: String, _ number: Int) -> String {
        let file = URL(filePath: name, directoryHint: .notDirectory)
        let stem = file.deletingPathExtension().lastPathComponent
        return file.pathExtension.isEmpty ? "\(name)-\(number)" : "\(stem)-\(number).\(file.pathExtension)"
    }
}
