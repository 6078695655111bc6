import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct OwnProgressRecipeTests {
    @Test(.enabled(if: Recipe.hasPython, "there is no python3"))
    func `The program draws a bar, and tells the plan, groups, failures and the end`() async throws {
        let rig = try NetqueueRig()
        let recipe = try Recipe(.ownProgress, in: rig)
        #expect(recipe.headings == ["Run it"])
        #expect(try recipe.files["bar.py"] == Recipe.text("Demo/Programs/bar.py"))
        let gate = Gate()
        rig.server.serve("/a", .text("content"))
        rig.server.serve("/b", ScriptedResponse.text("content").gated(by: gate, at: .afterHead))
        let list = [rig.url("/a") + "\tgroup=letters", rig.url("/b") + "\tgroup=letters", rig.url("/none")]
        try rig.folder.write(list.map { $0 + "\n" }.joined(), to: "list.txt")
        let run = try await recipe.run("Run it", output: rig.folder.handle("output")) { _ in
            #expect(await eventually { (try? rig.folder.read("output"))?.contains("\r[") == true })
            gate.open()
        }
        #expect(run.exitCode == 0, "\(run.error)")
        let output = try rig.folder.read("output")
        for text in ["3 files, 14 B or more\n", "\r[", "\n'letters': 2 of 2 files\n", "\n'none': 404 Not Found\n"] {
            #expect(output.contains(text), "\(output)")
        }
        #expect(output.hasSuffix(" \r2 of 3 files, 14 B\n"))
    }

    @Test func `Every page of recipes has a test, and a link from the overview and README`() throws {
        let names = try FileManager.default.contentsOfDirectory(
            at: Recipe.url(Recipe.folder), includingPropertiesForKeys: nil
        )
        .map { $0.deletingPathExtension().lastPathComponent }.filter { $0.hasPrefix("Recipe") }
        #expect(Set(names) == Set(Recipe.Page.allCases.map(\.rawValue)))
        let (overview, readme) = (try Recipe.text("\(Recipe.folder)/NetworkQueueKit.md"), try Recipe.text("README.md"))
        for name in names { #expect(overview.contains("- <doc:\(name)>\n") && readme.contains("/\(name).md)")) }
    }
}
