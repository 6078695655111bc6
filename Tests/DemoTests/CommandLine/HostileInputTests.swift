import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import netqueue

/// Arguments, names and lists that others have written.
@Suite(.timeLimit(.minutes(10)))
struct HostileInputTests {
    private let rig: NetqueueRig

    init() throws {
        rig = try NetqueueRig()
        rig.server.serve("/a", .text("content"))
    }

    @Test func `A usage error shows no escape of what it quotes`() async throws {
        for arguments in [
            ["upload", "\u{1B}]0;evil\u{07}", rig.url("/")], ["--\u{1B}[31m"],
            ["--checksums", "\u{9B}2J", rig.url("/a")],
        ] {
            let run = try await rig.run(arguments)
            #expect(run.exitCode != 0)
            let scalars = run.error.unicodeScalars.filter { $0 != "\n" }
            #expect(!scalars.contains { $0.properties.generalCategory == .control }, "\(arguments)")
        }
    }

    @Test func `A line of more than 1 MiB is a wrong line, and is not repeated`() async throws {
        let long = String(repeating: "x", count: URLList.longestLine + 1)
        try rig.folder.write("\(rig.url("/a"))\n\(long)\nftp://\(long.prefix(9_000))\n", to: "list")
        let run = try await rig.run(["-i", "list", "--failed", "failed"])
        #expect(run.exitCode == 1)
        #expect(run.error.contains("list:2: the line has \(long.utf8.count) bytes; at most 1 MiB is read"))
        #expect(run.error.utf8.count < 2_000)
        #expect(try rig.folder.read("a") == "content")
        #expect(try rig.folder.read("failed").utf8.count < 10_000)
    }

    @Test(arguments: [(["-i", "list"], true), (["--checksums", "list"], false), (["upload", "-i", "list"], false)])
    func `A list or checksums in UTF-16 are named as such`(arguments: [String], hasMark: Bool) async throws {
        let text = (hasMark ? "\u{FEFF}" : "") + rig.url("/a") + "\r\n"
        try rig.folder.write(try #require(text.data(using: .utf16LittleEndian)), to: "list")
        let run = try await rig.run(arguments + (arguments == ["-i", "list"] ? [] : [rig.url("/")]))
        #expect(run.exitCode == 64 && run.error.contains("is UTF-16; convert it to UTF-8"))
    }

    @Test func `A checksum without a name is that of a single URL`() async throws {
        try rig.folder.write("ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73\n", to: "sum")
        #expect(try await rig.run(["--checksums", "sum", rig.url("/a")]).exitCode == 0)
        try rig.folder.write(String(repeating: "0", count: 64) + "  -\n", to: "sum")
        let wrong = try await rig.run(["--overwrite", "--checksums", "sum", rig.url("/a")])
        #expect(wrong.exitCode == 1 && wrong.error.contains("checksum differs"))
        let two = try await rig.run(["--checksums", "sum", rig.url("/a"), rig.url("/b")])
        #expect(two.exitCode == 64 && two.error.contains("needs a single URL"))
    }

    @Test func `A name of 255 bytes is kept, also with a number`() async throws {
        let name = String(repeating: "n", count: 251) + ".txt"
        rig.server.serve("/1/" + name, .text("one"))
        rig.server.serve("/2/" + name, .text("two"))
        let run = try await rig.run(["--rename", rig.url("/1/" + name), rig.url("/2/" + name)])
        #expect(run.exitCode == 0)
        let numbered = String(repeating: "n", count: 249) + "-2.txt"
        #expect(try rig.folder.files() == [numbered, name].sorted())
    }

    @Test func `After the run one signal ends a program that is blocked by a pipe`() async throws {
        let pipe = rig.folder.path + "/failed"
        #expect(mkfifo(pipe, 0o600) == 0)
        // More than a pipe holds.
        let line = rig.url("/none?" + String(repeating: "x", count: 100_000))
        let reader = Gathering<Int32>()
        let run = try await rig.run(
            ["--retries", "0", "-i", "-", "--failed", "failed"], input: line + "\n",
            whileRunning: { process in
                // It opens the pipe when the run has ended.
                reader.add(await onThread { open(pipe, O_RDONLY) })
                kill(process, SIGTERM)
            })
        for descriptor in reader.values { close(descriptor) }
        #expect(![0, 1].contains(run.exitCode))
    }
}
