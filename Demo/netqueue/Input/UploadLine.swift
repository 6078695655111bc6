import NetworkQueueKit

/// A line of a list of files to upload: a path, and after a tab `out=` with the path below the URL.
///
/// Blank lines and lines that start with `#` are skipped.
struct UploadLine {
    let path: String
    /// The path below the URL; `nil` if the file's name decides.
    private(set) var target: [String]?

    /// Parses a line. Fails for one that is skipped.
    init?(_ line: Substring) throws(UsageError) {
        let pieces = line.tabSeparated
        guard let path = pieces.first, path.utf8.first != UInt8(ascii: "#") else { return nil }
        // In a list, a hyphen is a file name.
        self.path = path == Options.standardInput ? "./-" : String(path)
        for field in pieces.dropFirst() {
            let field = field.withoutIndent
            let value = field.parts(separatedBy: "=", maxSplits: 1).last.map(String.init) ?? ""
            guard field.starts(withBytesOf: "out="),
                let parts = RelativePath.components(of: value, mayBePart: true)
            else {
                let field = String(field).shortened(to: 200)
                throw UsageError("invalid field “\(field)”; expected out= with a path below the URL")
            }
            target = parts
        }
    }

    /// The line for a file; `nil` if no line stands for it, because a name has a tab or a line break.
    static func text(_ path: String, as target: [String]) -> String? {
        // At the beginning, these are a remark, a blank line and a byte order mark.
        let isMarked = path.utf8.first.map { $0 == UInt8(ascii: "#") || $0.isSpace || $0 == 0xEF } ?? true
        let path = isMarked ? "./" + path : path
        let text = path + "\tout=" + target.joined(separator: "/")
        let lines = (text + "\n").listLines
        guard lines.count == 2, let line = try? UploadLine(lines[0]), line.path.equals(bytesOf: path),
            line.target.map({ $0.map { ByteText($0) } }) == target.map({ ByteText($0) })
        else { return nil }
        return text
    }
}
