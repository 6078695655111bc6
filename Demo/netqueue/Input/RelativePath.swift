/// The paths given in lists.
enum RelativePath {
    /// The components of a path that stays below its base folder; `nil` for any other path, and for one with the name
    /// of a part file.
    static func components(of text: String) -> [String]? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).filter { $0 != "." }.map(String.init)
        let isSafe = parts.allSatisfy { part in
            !part.isEmpty && part != ".." && part.utf8.count <= 255 && !part.contains("\0")
                && ![".nqk.part", ".nqk.part.info", ".nqk.part.info.new"].contains { part.hasSuffix($0) }
        }
        return parts.isEmpty || !isSafe ? nil : parts
    }
}
