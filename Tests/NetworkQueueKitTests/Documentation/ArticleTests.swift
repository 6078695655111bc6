import Foundation
import Testing

/// The code in the articles is the code of this folder's examples, so it compiles.
struct ArticleTests {
    @Test func `The only Swift block of "From RequestQueue" is the compiled example`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let source = try String(contentsOf: folder.appending(path: "RequestQueueExample.swift"), encoding: .utf8)
        let article = try String(
            contentsOf: folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Sources/NetworkQueueKit/NetworkQueueKit.docc/FromRequestQueue.md"), encoding: .utf8)
        let code = source.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(separator: "\n")
        #expect(article.contains("```swift\n\(code)```"))
        #expect(article.components(separatedBy: "```swift\n").count == 2)
    }

    @Test func `The model of "Apple platforms" is the compiled example`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let source = try String(contentsOf: folder.appending(path: "ObservableExample.swift"), encoding: .utf8)
        let article = try String(
            contentsOf: folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Sources/NetworkQueueKit/NetworkQueueKit.docc/ApplePlatforms.md"), encoding: .utf8)
        let code = source.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(separator: "\n")
        #expect(article.contains("```swift\n\(code)```"))
    }
}
