import Foundation
import Testing

/// A text that readers see: README.md, a page of a catalog, or the doc comments of a source file.
struct Document: CustomTestStringConvertible {
    let path: String
    let blocks: [CodeBlock]

    var testDescription: String { path }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Every document of the repository that has code in it.
    static let all: [Document] = {
        let sources = files(in: "Sources")
        let pages = ["README.md"] + sources.filter { $0.hasSuffix(".md") && $0.contains(".docc/") }
        return pages.map { Document(path: $0, text: lines(of: $0)) }
            + sources.filter { $0.hasSuffix(".swift") }.map { Document(path: $0, text: docComments(in: lines(of: $0))) }
    }().filter { !$0.blocks.isEmpty }

    /// - Parameter text: the lines of the text; `nil` for one that is not part of it.
    private init(path: String, text: [String?]) {
        self.path = path
        blocks = CodeBlock.blocks(in: text)
    }

    /// The relative paths of the files in a folder, in order.
    static func files(in folder: String) -> [String] {
        let paths =
            FileManager.default.enumerator(atPath: root.appending(path: folder).path(percentEncoded: false))?.allObjects
            ?? []
        return paths.compactMap { $0 as? String }.sorted().map { "\(folder)/\($0)" }
    }

    static func lines(of path: String) -> [String] {
        guard let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8) else { return [] }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }

    private static func docComments(in lines: [String]) -> [String?] {
        lines.map { line in
            let line = line.drop { $0 == " " }
            guard line.hasPrefix("///") else { return nil }
            return String(line.dropFirst(line.hasPrefix("/// ") ? 4 : 3))
        }
    }
}
