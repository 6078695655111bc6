import Foundation
import LoopbackHTTP
import Testing

@testable import netqueue

@Suite(.timeLimit(.minutes(10)))
struct OrderOptionTests {
    private let rig: NetqueueRig

    init() throws {
        rig = try NetqueueRig()
        for (name, size) in [("a", 30), ("b", 10), ("c", 20), ("d", 40)] {
            rig.server.serve("/\(name)", .text(String(repeating: "x", count: size)))
        }
    }

    private func list(_ lines: String...) throws {
        try rig.folder.write(lines.map { line($0) + "\n" }.joined(), to: "list")
    }

    /// A line of a list, with the URL of a path.
    private func line(_ text: String) -> String {
        let pieces = text.split(separator: "\t", maxSplits: 1)
        return ([rig.url(String(pieces[0]))] + pieces.dropFirst().map(String.init)).joined(separator: "\t")
    }

    /// The names of the files in the order in which their contents were requested.
    private var order: String {
        rig.server.requests.filter { $0.method == "GET" }.map { String($0.path.dropFirst()) }.joined()
    }

    @Test(arguments: [("list", "abcd"), ("reverse", "dcba"), ("smallest", "bcad"), ("largest", "dacb")])
    func `The option --order starts downloads in the order of the list, in reverse or by size`(
        word: String, order: String
    ) async throws {
        try list("/a", "/b", "/c", "/d")
        let run = try await rig.run("-j1", "-i", "list", "--order", word)
        #expect(run.exitCode == 0 && self.order == order)
    }

    @Test(arguments: [("smallest", "cbad"), ("largest", "bcad")])
    func `Without sizing the order is that of the sizes in the list, and files without one come last`(
        word: String, order: String
    ) async throws {
        rig.server.serve("/c", .text("x"))
        try list("/a", "/b\tsize=10", "/c\tsize=1", "/d")
        let run = try await rig.run("-j1", "--no-sizing", "-i", "list", "--order=\(word)")
        #expect(run.exitCode == 0 && self.order == order)
    }

    @Test func `A random order downloads everything`() async throws {
        try list("/a", "/b", "/c", "/d")
        let run = try await rig.run("-j1", "--no-sizing", "-i", "list", "--order=random")
        #expect(run.exitCode == 0 && order.sorted() == ["a", "b", "c", "d"])
    }

    @Test func `A list of failures has the order of the list, whatever that of the downloads`() async throws {
        try list("/x", "/a", "/y")
        let run = try await rig.run("-j1", "--no-sizing", "-i", "list", "--order=reverse", "--failed=again")
        #expect(run.exitCode == 1 && order == "yax")
        #expect(try rig.folder.read("again") == "\(rig.url("/x"))\n\(rig.url("/y"))\n")
    }

    @Test(
        arguments: [
            (["--order", "random", "-i-"], "give a file"), (["--order", "reverse", "-i", "-"], "give a file"),
            (["--order", "smallest", "--lifo", "-i", "list"], "--order and --lifo cannot be combined"),
            (["--order", "list", "--lifo", "-i", "list"], "--order and --lifo cannot be combined"),
            (["--order", "biggest", "-i", "list"], "list, reverse, smallest, largest or random"),
            (["upload", "--order", "smallest", "a", "http://h/"], "--order is not an option"),
        ] as [([String], String)])
    func `An order that is unknown or impossible is refused`(arguments: [String], text: String) {
        let error = #expect(throws: UsageError.self) { try Invocation(arguments: arguments) }
        #expect(error?.code == .usage && error?.message.contains(text) == true, "\(error?.message ?? "")")
    }

    // MARK: Stages

    @Test(arguments: [(nil, "bdca"), ("--lifo", "dbca"), ("--order=reverse", "dbca")] as [(String?, String)])
    func `A list is downloaded stage by stage, wherever its lines stand`(option: String?, order: String) async throws {
        try list("/a\tstage=7", "/b", "/c\tstage=1", "/d")
        let run = try await rig.run(["-j1", "-i", "list"] + [option].compactMap(\.self))
        #expect(run.exitCode == 0 && self.order == order)
    }

    @Test func `Files of a higher stage start only after all of lower ones have ended`() async throws {
        let gate = Gate()
        rig.server.serve("/b", ScriptedResponse.text("b").gated(by: gate))
        try list("/a\tstage=1", "/b", "/c")
        let run = try await rig.run("--no-sizing", "--timeout=600", "-j4", "-i", "list") { _ in
            #expect(await rig.server.wait { $0.requests == 2 })
            gate.open()
        }
        #expect(run.exitCode == 0 && order.sorted() == ["a", "b", "c"] && order.last == "a")
    }

    @Test func `If a file fails, those of higher stages fail without a request, and can be downloaded later`()
        async throws
    {
        try list("/a\tstage=1", "/b", "/missing")
        let run = try await rig.run("--json", "--no-sizing", "-i", "list", "--failed", "again")
        #expect(run.exitCode == 1 && order.sorted() == ["b"] + "missing".sorted())
        let failure = try #require(try run.jsonLines.first { $0.event == "fail" && $0.name == "a" })
        #expect(failure.error == "stage" && failure.attempts == 0)
        #expect(
            try rig.folder.read("again") == "\(rig.url("/a"))\tstage=1\n\(rig.url("/missing"))\n")
        rig.server.serve("/missing", .text("here"))
        let second = try await rig.run("--no-sizing", "-i", "again")
        #expect(second.exitCode == 0 && order.hasSuffix("a"))
    }

    @Test func `On standard input a lower stage after a higher one is a failure of that line`() async throws {
        let lines = ["/a", "/b\tstage=2", "/c\tstage=1", "/d\tstage=2"].map { line($0) + "\n" }.joined()
        let run = try await rig.run("-j1", "--no-sizing", "-i", "-", "--failed", "again", input: lines)
        #expect(run.exitCode == 1 && order == "abd")
        #expect(
            run.error.contains(
                "x \(rig.url("/c")): stage 1 follows stage 2; standard input must have the lowest stage first"))
        #expect(run.output.contains("1 failed: 1 x a lower stage follows a higher one"))
        #expect(try rig.folder.read("again") == "\(rig.url("/c"))\tstage=1\n")
    }
}
