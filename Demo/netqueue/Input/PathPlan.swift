import Foundation

/// Decides where below a folder the files of a run go.
///
/// A URL's path is kept below the deepest folder that all URLs share, with the host before it when there are several. Every
/// path stays below the folder, no two are equal, and none is a folder on another's way.
struct PathPlan {
    /// For each URL, in order, its path below the folder.
    let paths: [[String]]

    init(_ urls: [URL]) {
        let places = urls.map(\.safePathComponents)
        let hosts = Set(urls.map(Self.host))
        let full = hosts.count > 1 ? zip(urls, places).map { [Self.host($0)] + $1 } : places
        let shared = Self.sharedFolderDepth(full)
        paths = Self.distinct(full.map { Array($0.dropFirst(shared)) })
    }

    /// The host as a folder's name, with the port where the URL has one.
    private static func host(_ url: URL) -> String {
        let name = (url.host() ?? "").lowercased()
        let host = name.contains("/") || name.allSatisfy { $0 == "." } ? "_" : name
        return url.port.map { "\(host):\($0)" } ?? host
    }

    private static func sharedFolderDepth(_ places: [[String]]) -> Int {
        guard var shared = places.first?.dropLast() else { return 0 }
        for place in places.dropFirst() where !shared.isEmpty {
            let common = zip(shared, place.dropLast()).prefix { $0 == $1 }.count
            shared = shared.prefix(common)
        }
        return shared.count
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
