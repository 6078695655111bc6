import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ListAsItComesTests {
    private let rig: NetqueueRig
    private let pipe = Pipe()

    init() throws {
        rig = try NetqueueRig()
        for name in ["a", "b", "c"] { rig.server.serve("/\(name)", .text(name)) }
    }

    private func write(_ lines: String...) throws {
        let text = lines.map { $0.hasPrefix("/") ? rig.url($0) + "\n" : $0 + "\n" }
        try pipe.fileHandleForWriting.write(contentsOf: Data(text.joined().utf8))
    }

    private func run(
        _ arguments: String..., whileRunning: (Int32) async throws -> Void
    ) async throws -> NetqueueRun {
        var fault: (any Error)?
        let run = try await rig.run(["-i-"] + arguments, inputPipe: pipe) { process in
            do { try await whileRunning(process) } catch {
                fault = error
                kill(process, SIGKILL)
            }
        }
        if let fault { throw fault }
        return run
    }

    @Test func `A list that is still being written is downloaded from its first line on`() async throws {
        let run = try await run { _ in
            try write("/a")
            // A HEAD and a GET; those that come later start at once, before or while they are sized.
            #expect(await rig.server.wait { $0.requests == 2 })
            try write("/b", "  out=folder/other", "/c")
            #expect(await rig.server.wait { $0.requests >= 4 })
            try pipe.fileHandleForWriting.close()
        }
        #expect(run.exitCode == 0)
        #expect(run.output.hasPrefix("3 files, 3 B in "))
        #expect(try rig.folder.files() == ["a", "c", "folder/other"])
        #expect(run.error.contains("Downloading files from a list on standard input"))
    }

    @Test func `A list that is already complete is sized as a whole`() async throws {
        let run = try await run { _ in
            try write("/a", "/b", "/c")
            #expect(await rig.server.wait { $0.requests == 6 })
            try pipe.fileHandleForWriting.close()
        }
        #expect(run.exitCode == 0)
        #expect(rig.server.counters.requests == 6)
    }

    @Test func `A line of a growing list whose file is taken fails alone`() async throws {
        rig.server.serve("/x/a", .text("other"))
        let run = try await run("--failed=again") { _ in
            try write("/a")
            #expect(await rig.server.wait { $0.requests == 2 })
            try write("/x/a", "nonsense", "/b", "/a")
            #expect(await rig.server.wait { $0.requests >= 3 })
            try pipe.fileHandleForWriting.close()
        }
        #expect(run.exitCode == 1)
        #expect(run.output.contains("2 of 4 files") && run.output.contains("1 x another URL has the same file"))
        #expect(run.error.contains("x a: \(rig.url("/a")) and \(rig.url("/x/a")) would both be saved as \"a\""))
        #expect(run.error.contains("x standard input:3: not an http or https URL"))
        #expect(try rig.folder.read("again") == "nonsense\n\(rig.url("/x/a"))\n")
        #expect(try rig.folder.read("a") == "a")
    }

    @Test func `Lines that were read before a signal are in the --failed list`() async throws {
        let gate = Gate()
        rig.server.serve("/a", ScriptedResponse.text("a").gated(by: gate))
        let run = try await run("--no-sizing", "-j1", "--timeout=900", "--failed=again") { process in
            try write("/a")
            #expect(await rig.server.wait { $0.requests == 1 })
            try write("/b", "/c")
            let input = pipe.fileHandleForReading.fileDescriptor
            var entry = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            #expect(await eventually { poll(&entry, 1, 0) == 0 })
            kill(process, SIGTERM)
        }
        gate.open()
        #expect(run.exitCode == 143 && run.output.hasPrefix("Cancelled: 0 of "))
        #expect(try rig.folder.read("again") == ["/a", "/b", "/c"].map { rig.url($0) + "\n" }.joined())
    }

    @Test func `A failure with --fail-fast does not wait for the rest of a list`() async throws {
        let run = try await run("--fail-fast", "--retries=0") { _ in try write("/missing") }
        #expect(run.exitCode == 1)
        #expect(run.output.contains("1 x 404 Not Found"))
    }

    @Test func `A list can end before its first URL`() async throws {
        let run = try await run { _ in
            try write("# only this", "")
            try pipe.fileHandleForWriting.close()
        }
        #expect(run.exitCode == 0)
        #expect(run.output == "Nothing to download: no list contains a URL.\n")
        let json = try await rig.run(["--json", "-i-"], input: "# only this\n")
        #expect(
            json.exitCode == 0 && json.output.contains("\"event\":\"summary\"") && json.output.contains("\"total\":0"))
    }

    @Test func `A list and the command line can have bytes that are not UTF-8`() async throws {
        for name in ["caf%E9", "th%E9"] { rig.server.serve("/\(name)", .text(name)) }
        let argument = try await rig.run(["-q", "--no-sizing", rig.url("/th")], shell: "exec \"$@\"$(printf '\\351')")
        #expect(argument.exitCode == 0)
        let run = try await run("--no-sizing") { _ in
            let line = Data(rig.url("/caf").utf8) + [0xE9, 0x0A]
            try pipe.fileHandleForWriting.write(contentsOf: line)
            try pipe.fileHandleForWriting.close()
        }
        #expect(run.exitCode == 0)
        #expect(rig.server.requests.map(\.target) == ["/th%E9", "/caf%E9"])
    }
}
