import Testing

/// The Swift that readers see is the Swift of the files in Snippets, so it compiles.
struct SnippetTests {
    private static let languages: Set = ["swift", "console", "text", "json", "sh", "python", "yaml"]

    @Test(arguments: Document.all)
    func `Every Swift block is a region of a compiled file`(document: Document) {
        let compiled = Set(Snippet.all.map(\.code))
        for block in document.blocks where block.language == "swift" && !block.isManifest {
            let isCompiled = compiled.contains(block.code)
            #expect(isCompiled, "\(document.path), \(block)")
        }
    }

    @Test(arguments: Document.all)
    func `Every block of code names its language`(document: Document) {
        for block in document.blocks {
            #expect(Self.languages.contains(block.language), "\(document.path), \(block)")
        }
    }

    @Test(arguments: Snippet.all)
    func `Every region is shown to a reader`(snippet: Snippet) {
        let shown = Document.all.contains { $0.blocks.contains { $0.language == "swift" && $0.code == snippet.code } }
        #expect(shown, "No page, doc comment or README.md shows \(snippet.name) of \(snippet.file).")
    }

    @Test func `Fenced and indented blocks are told apart from lists`() {
        let text = """
            A list:
            - one

                goes on

              ```text
              a
                b
              ```

            Text.

                let indented = 1

            ```swift
            let fenced = 1

            ```
            """
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let blocks = CodeBlock.blocks(in: lines.map { String($0) })
        #expect(
            blocks == [
                CodeBlock(language: "text", line: 7, code: "a\n  b"),
                CodeBlock(language: "", line: 13, code: "let indented = 1"),
                CodeBlock(language: "swift", line: 16, code: "let fenced = 1\n"),
            ])
    }
}
