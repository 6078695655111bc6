import Foundation
import Testing

/// The code in the README is the code of this folder's examples, so it compiles.
struct ReadmeTests {
    @Test(arguments: ["DelegateExample", "RunExample"])
    func `The README shows each compiled example as it is`(example: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let source = try String(contentsOf: folder.appending(path: "\(example).swift"), encoding: .utf8)
        let readme = try String(
            contentsOf: folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "README.md"), encoding: .utf8)
        let code = source.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(separator: "\n")
        #expect(readme.contains("```swift\n\(code)```"), "README.md does not show \(example).swift as it is")
    }

    @Test
    func `The README shows no Swift code but the examples`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        #expect(readme.components(separatedBy: "```swift\n").count - 1 == 2)
    }
}
