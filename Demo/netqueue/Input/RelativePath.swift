import NetworkQueueKit

/// The paths given in lists.
enum RelativePath {
    /// The components of a path that stays below its base folder; `nil` for any other path.
    ///
    /// - Parameter mayBePart: Whether a component may be the name of a part file, which no download may have.
    static func components(of text: String, mayBePart: Bool = false) -> [String]? {
        let parts = text.parts(separatedBy: "/").map(String.init).filter { $0 != "." }
        let isSafe = parts.allSatisfy { part in
            !part.isEmpty && part != ".." && part.utf8.count <= 255 && !part.utf8.contains(0)
                && (mayBePart || !PartNames.suffixes.contains(where: part.ends))
        }
        return parts.isEmpty || !isSafe ? nil : parts
    }
}
