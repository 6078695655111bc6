/// Paths that lists give.
enum RelativePath {
    /// The parts of a path that stays below the folder it is relative to; `nil` for any other, and for one that is a
    /// part of a download by its name.
    static func components(of text: String) -> [String]? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).filter { $0 != "." }.map(String.init)
        let isSafe = parts.allSatisfy { part in
            !part.isEmpty && part != ".." && part.utf8.count <= 255 && !part.contains("\0")
                && !part.hasSuffix(".nqk.part") && !part.hasSuffix(".nqk.part.info")
        }
        return parts.isEmpty || !isSafe ? nil : parts
    }
}
