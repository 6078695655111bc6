import Foundation
import Testing

/// The code in the articles is code of Tests/DocumentationTests/Snippets, which is compiled.
struct ArticleTests {
    private static let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    private static let snippets = root.appending(path: "Tests/DocumentationTests/Snippets")
    private static let articles = root.appending(path: "Sources/NetworkQueueKit/NetworkQueueKit.docc")

    @Test func `Each Swift block of an article is a region of its snippet file`() throws {
        let files = try FileManager.default.contentsOfDirectory(at: Self.snippets, includingPropertiesForKeys: nil)
        for file in files where file.pathExtension == "swift" {
            let page = file.deletingPathExtension().lastPathComponent
            let article = Self.articles.appending(path: "\(page).md")
            guard FileManager.default.fileExists(atPath: article.path) else { continue }
            let regions = Self.regions(of: try String(contentsOf: file, encoding: .utf8))
            for block in Self.blocks(of: try String(contentsOf: article, encoding: .utf8)) {
                #expect(regions.contains(block), "\(page).md shows code that is not in \(page).swift:\n\(block)")
            }
        }
    }

    /// The Swift code that an article shows.
    private static func blocks(of article: String) -> [String] {
        article.components(separatedBy: "\n```swift\n").dropFirst().map { $0.components(separatedBy: "\n```")[0] }
    }

    /// What stands between `// snippet: name` and `// end`, without the indentation of the first of these lines.
    private static func regions(of source: String) -> [String] {
        var regions: [String] = []
        var region: (indentation: Int, lines: [Substring])?
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("// snippet: ") {
                region = (line.count - text.count, [])
            } else if text == "// end", let finished = region {
                regions.append(finished.lines.joined(separator: "\n"))
                region = nil
            } else if let current = region {
                region?.lines.append(line.dropFirst(min(current.indentation, line.count - text.count)))
            }
        }
        return regions
    }
}
