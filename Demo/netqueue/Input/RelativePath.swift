/// The paths given in lists.
enum RelativePath {
    /// The ends of the names of a part and of the files that belong to it, the longest first.
    static let partSuffixes = [".nqk.part.info.new", ".nqk.part.info", ".nqk.part"]

    /// The components of a path that stays below its base folder; `nil` for any other path, and for one with the name
    /// of a part file.
    static func components(of text: String) -> [String]? {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }.filter { $0 != "." }
        let isSafe = parts.allSatisfy { part in
            !part.isEmpty && part != ".." && part.utf8.count <= 255 && !part.utf8.contains(0)
                && !partSuffixes.contains { part.hasSuffix($0) }
        }
        return parts.isEmpty || !isSafe ? nil : parts
    }
}
