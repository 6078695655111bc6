import Testing

/// A region of a file in Snippets: what stands between a line `// snippet: NAME` and the next line `// end`.
///
/// The file is compiled; what readers see is the region alone.
struct Snippet: CustomTestStringConvertible {
    let file: String
    let name: String
    let code: String

    var testDescription: String { "\(name) in \(file)" }

    /// Every region of every file.
    static let all: [Snippet] = Document.files(in: "Tests/DocumentationTests/Snippets").flatMap { file in
        var snippets: [Snippet] = []
        var start: (name: String, line: Int)?
        let lines = Document.lines(of: file)
        for (index, line) in lines.enumerated() {
            let comment = line.drop { $0 == " " }
            if comment.hasPrefix("// snippet: ") {
                start = (String(comment.dropFirst("// snippet: ".count)), index + 1)
            } else if comment == "// end", let (name, line) = start {
                snippets.append(Snippet(file: file, name: name, code: CodeBlock.joined(lines[line..<index])))
                start = nil
            }
        }
        return snippets
    }
}
