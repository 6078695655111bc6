import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ChecksumOptionTests {
    private let rig: NetqueueRig
    /// Those of “content”.
    private let sha256 = "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73"
    private let sha1 = "040f06fd774092478d450774f5ba30c5da78acc8"
    private let md5 = "9a0364b9e99bb480dd25e1f0284c8555"
    private let zeros = String(repeating: "0", count: 64)

    init() throws {
        rig = try NetqueueRig()
        try FileManager.default.createDirectory(at: rig.folder.file("m/x"), withIntermediateDirectories: true)
        for path in ["/a", "/deep/b", "/deep/c", "/d"] { rig.server.serve(path, .text("content")) }
    }

    @Test func `The option --checksums matches the paths of files or the ends of URLs`() async throws {
        try rig.folder.write("\(sha256)  a\nMD5 (deep/b) = \(md5)\n\(zeros) *c\n\(sha1) gone\n", to: "SUMS")
        let run = try await rig.run(
            "--retries=0", "--checksums=SUMS", "--failed=again", "/a", "/deep/b", "/deep/c", "/d")
        #expect(run.exitCode == 1)
        #expect(run.error.contains("x c: checksum differs: SHA-256 is ed7002b439e9..., expected 000000000000...\n"))
        #expect(run.output.hasSuffix("\n1 failed: 1 x checksum differs\n"))
        #expect(run.error.contains("\nnetqueue: 1 file has no line in SUMS: d\n"))
        #expect(run.error.contains("\nnetqueue: 1 line of SUMS matches no file: gone\n"))
        #expect(try rig.folder.files() == ["SUMS", "a", "again", "b", "d"])
        // What it has to add up to is in the list for another run.
        #expect(try rig.folder.read("again") == "\(rig.url("/deep/c"))\tchecksum=sha256:\(zeros)\n")
    }

    @Test func `Files without a checksum and checksums without a file are not failures`() async throws {
        try rig.folder.write("\(sha256)  a\n\(sha256)  x\n", to: "SUMS")
        #expect(try await rig.run("--checksums=SUMS", "/a", "/d").exitCode == 0)
        let shard = try await rig.run("-q", "--checksums=SUMS", "--shard=1/1", "/a")
        #expect(shard.error.isEmpty)
    }

    @Test func `The strongest of several checksums counts, after that of the list`() async throws {
        try rig.folder.write("\(sha256)  a\n", to: "SHA256SUMS")
        try rig.folder.write("\(String(repeating: "0", count: 32))  a\n", to: "MD5SUMS")
        #expect(try await rig.run("--checksums=MD5SUMS", "--checksums=SHA256SUMS", "/a").exitCode == 0)
        try rig.folder.write("\(rig.url("/a"))\tchecksum=sha256:\(zeros)\n", to: "list")
        let run = try await rig.run("--checksums=SHA256SUMS", "-i", "list", "-d", "other")
        #expect(run.exitCode == 1 && run.output.contains("1 x conflicting checksums"))
        #expect(rig.folder.contents == ["MD5SUMS", "SHA256SUMS", "a", "list", "m", "m/x"])
    }

    @Test func `A wrong line of a checksum list fails, and a list without checksums is a usage error`() async throws {
        try rig.folder.write("\(sha256)  a\nnonsense\n\(zeros)  a\n", to: "SUMS")
        let run = try await rig.run("--checksums=SUMS", "/a")
        #expect(run.exitCode == 1 && run.output.hasPrefix("1 of 3 files, "))
        #expect(run.error.contains("x SUMS:2: expected a checksum and a file name; got \"nonsense\"\n"))
        #expect(run.error.contains("x SUMS:3: another line has a different SHA-256 for \"a\"\n"))
        try rig.folder.write("nonsense\n", to: "SUMS")
        let wrong = try await rig.run("--checksums=SUMS", "/d")
        #expect(wrong.exitCode == 64 && wrong.error.contains("--checksums: \"SUMS\" contains no checksum"))
        #expect(try await rig.run("--checksums=missing", "/d").exitCode == 64)
    }

    @Test(arguments: ["size=8", "checksum=sha1:0000000000000000000000000000000000000000"])
    func `The option --keep compares size and checksum without a request`(field: String) async throws {
        try rig.folder.write("content", to: "a")
        try rig.folder.write("\(rig.url("/a"))\t\(field)\n", to: "list")
        let run = try await rig.run("--keep", "-i", "list", "--failed=again")
        #expect(run.exitCode == 1 && rig.server.requests.isEmpty)
        #expect(try rig.folder.read("again") == "\(rig.url("/a"))\t\(field)\n")
        #expect(try rig.folder.read("a") == "content")
        guard field.hasPrefix("checksum") else { return }
        #expect(run.error.contains("x a: already exists with another checksum\n"))
        let json = try await rig.run("--keep", "--json", "-i", "list")
        #expect(json.output.contains("\"error\":\"checksum\""))
    }

    @Test func `The option --verify compares the files of a list without a request`() async throws {
        for name in ["a", "b", "d"] { try rig.folder.write("content", to: "m/" + name) }
        try rig.folder.write("contend", to: "m/c")
        let list = """
            \(rig.url("/a"))\tsize=7
            \(rig.url("/deep/b"))\tsize=8
            \(rig.url("/deep/c"))\tchecksum=sha1:\(sha1)
            \(rig.url("/d"))
            \(rig.url("/e"))

            """
        try rig.folder.write(list, to: "list")
        let run = try await rig.run("--verify", "-dm", "-i", "list", "--failed=again")
        #expect(run.exitCode == 1 && rig.server.requests.isEmpty)
        #expect(run.error.hasPrefix("Verifying 5 files\n"))
        for text in ["b: has 7 bytes, expected 8", "c: checksum differs: SHA-1 is ", "e: missing"] {
            #expect(run.error.contains("\nx \(text)"), "\(text)")
        }
        #expect(run.error.hasSuffix("\n2/5 files, 3 failed, 7 B\n"))
        #expect(run.output.hasPrefix("2 of 5 files, 7 B in "))
        #expect(run.output.contains(", 2 without size or checksum\n"))
        #expect(
            try rig.folder.read("again")
                == list.split(separator: "\n").enumerated().filter { [1, 2, 4].contains($0.offset) }
                .map { $0.element + "\n" }.joined())
    }

    @Test func `The option --verify writes the lines of a checksum list whose files have failed, for another run`()
        async throws
    {
        for name in ["a", "odd\\\n"] { try rig.folder.write("contend", to: "m/" + name) }
        try rig.folder.write("content", to: "m/good")
        let sums = [
            "SHA1 (good) = \(sha1)", "SHA1 (a) = \(sha1)", "\\\(sha256) *odd\\\\\\n", "\(sha256) gone",
        ]
        try rig.folder.write(sums.map { $0 + "\n" }.joined(), to: "SUMS")
        let run = try await rig.run("--verify", "-dm", "--checksums=SUMS", "--failed=again")
        #expect(run.exitCode == 1 && run.error.contains("\n1/4 files, 3 failed"), "\(run.error)")
        #expect(
            try rig.folder.read("again") == "\(sha1)  a\n\\\(sha256)  odd\\\\\\n\n\(sha256)  gone\n")
        for name in ["a", "odd\\\n", "gone"] { try rig.folder.write("content", to: "m/" + name) }
        let whole = try await rig.run("--verify", "-dm", "--checksums=again", "--failed=rest")
        #expect(whole.exitCode == 0 && whole.output.hasPrefix("3 files, "), "\(whole)")
        #expect(try rig.folder.read("rest").isEmpty)
    }

    @Test func `The option --verify compares all files of a checksum list`() async throws {
        try rig.folder.write("content", to: "m/x/a")
        try rig.folder.write("\(sha256)  x/a\n\(sha256)  gone\n", to: "SUMS")
        let run = try await rig.run("--verify", "-dm", "--checksums=SUMS", "--json")
        #expect(run.exitCode == 1)
        #expect(run.error.contains("x gone: missing\n"))
        #expect(run.output.contains("\"event\":\"finish\"") && run.output.contains("\"name\":\"x/a\""))
        try rig.folder.write("content", to: "m/gone")
        let whole = try await rig.run("--verify", "-dm", "--checksums=SUMS")
        #expect(whole.exitCode == 0 && whole.output.hasPrefix("2 files, 14 B in "))
    }
}
