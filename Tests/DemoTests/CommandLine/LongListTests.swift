import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Testing

/// Lists with more lines than are read ahead of the transfers.
@Suite(.timeLimit(.minutes(10)))
struct LongListTests {
    private static let count = 700
    private let rig: NetqueueRig
    private let list: String

    init() throws {
        rig = try NetqueueRig()
        for number in 0..<Self.count { rig.server.serve("/\(number)", .text("x")) }
        list = (0..<Self.count).map { [rig] in rig.url("/\($0)") + "\n" }.joined()
    }

    @Test func `Every line of a long list is downloaded in order, and counts from the start`() async throws {
        let run = try await rig.run(["--no-sizing", "-j1", "-i-"], input: list)
        #expect(run.exitCode == 0 && run.output.hasPrefix("700 files, 700 B in "))
        #expect(run.error.hasPrefix("Downloading 700 files\n"))
        #expect(rig.server.requests.map(\.path) == (0..<Self.count).map { "/\($0)" })
    }

    @Test(arguments: [[], ["--no-sizing"]])
    func `A list whose sizes do not fit as a whole is refused with one line`(options: [String]) async throws {
        let size = try #require(POSIXFile.freeBytes(rig.folder.path)) / 600
        try rig.folder.write(list.replacing("\n", with: "\tsize=\(size)\n"), to: "list")
        let run = try await rig.run(options + ["-q", "-i", "list", "-d", "out"])
        #expect(run.exitCode == 1 && run.error.hasPrefix("netqueue: not enough disk space: the files need "))
        #expect(run.error.hasSuffix("; use --no-space-check to download anyway\n"))
        #expect(run.error.split(separator: "\n").count == 1)
        #expect(try rig.server.requests.isEmpty && rig.folder.files() == ["list"])
    }

    @Test func `The option --lifo starts with the last line of a long list`() async throws {
        let run = try await rig.run(["-q", "--no-sizing", "-j1", "--lifo", "-i-"], input: list)
        #expect(run.exitCode == 0)
        #expect(rig.server.requests.map(\.path) == (0..<Self.count).reversed().map { "/\($0)" })
    }

    @Test func `A signal cancels all lines, also those whose turn has not come near`() async throws {
        let gate = Gate()
        rig.server.serve("/0", ScriptedResponse.text("x").gated(by: gate))
        let run = try await rig.run(
            ["--no-sizing", "-j1", "--timeout=900", "--json", "--failed=again", "-i-"], input: list
        ) { process in
            _ = await rig.server.wait { $0.requests == 1 }
            kill(process, SIGTERM)
        }
        gate.open()
        #expect(run.exitCode == 143)
        let events = try run.jsonLines
        let cancelled = events.filter { $0.event == "cancel" }.compactMap(\.name)
        #expect(Set(cancelled) == Set((0..<Self.count).map { "\($0)" }) && cancelled.count == Self.count)
        #expect(events.last?.total == Self.count && events.last?.cancelled == Self.count)
        #expect(try rig.folder.read("again") == list)
    }

    @Test func `A failure with --fail-fast cancels all lines`() async throws {
        rig.server.serve("/0", .status(404))
        let run = try await rig.run(["--no-sizing", "-j1", "--fail-fast", "--failed=again", "-i-"], input: list)
        #expect(run.exitCode == 1 && rig.server.counters.requests == 1)
        #expect(run.output.hasPrefix("0 of 700 files, "))
        #expect(try rig.folder.read("again") == list)
    }

    @Test func `Files of a long list that have failed are in the --failed list, in its order`() async throws {
        for number in [3, 400, 699] { rig.server.serve("/\(number)", .status(404)) }
        let run = try await rig.run(["-q", "--no-sizing", "--failed=again", "-i-"], input: list)
        #expect(run.exitCode == 1)
        #expect(try rig.folder.read("again") == [3, 400, 699].map { rig.url("/\($0)") + "\n" }.joined())
    }

    @Test func `A line that becomes known with --lifo goes before those that wait`() async throws {
        let gate = Gate()
        rig.server.serve("/2", ScriptedResponse.text("x").gated(by: gate))
        let pipe = Pipe()
        let write = { (numbers: [Int]) in
            try pipe.fileHandleForWriting.write(
                contentsOf: Data(numbers.map { rig.url("/\($0)") + "\n" }.joined().utf8))
        }
        let terminal = try PseudoTerminal(columns: 100)
        let run = try await rig.run(
            ["--no-sizing", "-j1", "--timeout=900", "--lifo", "-i-"], inputPipe: pipe, terminal: terminal
        ) { _ in
            try? write([0, 1, 2])
            _ = await rig.server.wait { $0.requests == 1 }
            try? write([3])
            // Of the four one runs.
            await terminal.wait(for: "0/4 files")
            gate.open()
            try? pipe.fileHandleForWriting.close()
        }
        #expect(run.exitCode == 0)
        #expect(rig.server.requests.map(\.path) == ["/2", "/3", "/1", "/0"])
    }
}
