/// A block of code in Markdown.
struct CodeBlock: Equatable, CustomStringConvertible {
    /// What follows the fence; empty for a block that is only indented.
    let language: String
    /// The number of the block's first line.
    let line: Int
    let code: String

    /// Whether it is a `Package.swift`, which cannot be compiled as part of a target.
    var isManifest: Bool { code.hasPrefix("// swift-tools-version:") }

    var description: String { "line \(line):\n\(code)" }

    /// The blocks of a text, those that are only indented included.
    ///
    /// - Parameter text: the lines of the text; `nil` for one that is not part of it, which ends a paragraph.
    static func blocks(in text: [String?]) -> [CodeBlock] {
        var blocks: [CodeBlock] = []
        var fence: (language: String, start: Int)?
        var isAfterBlankLine = true
        var isInList = false
        for (index, line) in text.enumerated() {
            let content = (line ?? "").trimmingPrefix { $0 == " " }
            let indentation = (line ?? "").count - content.count
            if content.hasPrefix("```") {
                if let (language, start) = fence {
                    let code = joined(text[start..<index].map { $0 ?? "" })
                    blocks.append(CodeBlock(language: language, line: start + 1, code: code))
                    fence = nil
                } else {
                    fence = (String(content.drop { $0 == "`" }), index + 1)
                }
            } else if fence == nil {
                if content.prefixMatch(of: #/[-*+] |[0-9]+[.)] /#) != nil {
                    isInList = true
                } else if isAfterBlankLine, !content.isEmpty, indentation < 2 {
                    isInList = false
                } else if isAfterBlankLine, indentation >= 4, !isInList {
                    blocks.append(CodeBlock(language: "", line: index + 1, code: String(content)))
                }
                isAfterBlankLine = content.isEmpty
            }
        }
        return blocks
    }

    /// Lines without the indentation that they share.
    static func joined(_ lines: some Collection<String>) -> String {
        let indentation = lines.filter { $0.contains { $0 != " " } }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(indentation)) }.joined(separator: "\n")
    }
}
