import NetworkQueueKit

/// The paths given in lists.
enum RelativePath {
    /// The components of a path that stays below its base folder; `nil` for any other path, and for one with the name
    /// of a part file.
    static func components(of text: String) -> [String]? {
        let parts = text.parts(separatedBy: "/").map(String.init).filter { $0 != "." }
        let isSafe = parts.allSatisfy { part in
            !part.isEmpty && part != ".." && part.utf8.count <= 255 && !part.utf8.contains(0)
                && !PartNames.suffixes.contains(where: part.ends)
        }
        return parts.isEmpty || !isSafe ? nil : parts
    }
}
