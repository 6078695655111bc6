import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// Signed links that expire, and a script that signs new ones.
@Suite(.timeLimit(.minutes(10)))
struct RefreshOptionTests {
    private static let size: Int64 = 2 << 20
    private let rig: NetqueueRig
    /// The signature that the server accepts.
    private let signature = Guarded(1)

    init() throws {
        rig = try NetqueueRig()
        rig.server.serve("/a") { [signature] request in
            let file = ScriptedResponse.generated(size: Self.size, seed: 1).acceptingRanges(etag: "\"1\"")
            guard request.query == "signature=\(signature.withLock { $0 })" else {
                return .text("This link has expired.", status: 403)
            }
            guard request.headers["Range"] == nil else { return file }
            signature.withLock { $0 += 1 }
            return file.dropping(after: 1 << 20)
        }
    }

    /// Runs netqueue with a script that is the command of `--refresh`.
    private func run(
        _ script: String, _ arguments: String..., whileRunning: (Int32) async -> Void = { _ in }
    ) async throws -> NetqueueRun {
        try rig.folder.write(script + "\n", to: "sign")
        return try await rig.run(
            arguments + ["--no-sizing", "--retry-delay=0.01", "--refresh", "sh ./sign", rig.url("/a?signature=1")],
            whileRunning: whileRunning)
    }

    private static let sign = "echo \"${1%%\\?*}?signature=$((${1##*=} + 1))\""

    @Test(arguments: [["-v"], ["--json"], ["--progress=always"]])
    func `A download goes on from its part at the URL that the command prints, which nothing else shows`(
        arguments: [String]
    ) async throws {
        let run = try await run(Self.sign, arguments[0])
        #expect(run.exitCode == 0)
        let content = GeneratedContent(size: Self.size, seed: 1)
        #expect(try content.matches(contentsOf: rig.folder.file("a")))
        #expect(rig.server.requests.map(\.query) == ["signature=1", "signature=1", "signature=2"])
        #expect(rig.server.requests.last?.headers["Range"] == "bytes=\(1 << 20)-")
        #expect(!(run.output + run.error).contains("signature=2"))
        #expect(run.error.contains("a: 403 Forbidden; asking for a new URL\n") || arguments != ["-v"])
    }

    @Test(
        arguments: [
            ("echo one >&2; echo 'no such link' >&2; exit 3", "ended with status 3: no such link"),
            ("echo nonsense; echo why >&2", "printed no http or https URL on its first line: why"),
            ("echo; echo \"$1\"", "printed no http or https URL on its first line"),
            ("kill $$", "was ended by signal 15"),
        ])
    func `Without a URL the file fails with the server's error and the command's last line`(
        script: String, text: String
    ) async throws {
        let run = try await run(script, "--failed", "again")
        #expect(run.exitCode == 1)
        #expect(
            run.error.contains(
                "x a: 403 Forbidden; the command of --refresh \(text); the server says: This link has expired.\n"))
        #expect(run.output.contains("1 failed: 1 x 403 Forbidden\n"))
        #expect(try rig.folder.read("again") == rig.url("/a?signature=1") + "\n")
    }

    @Test func `A command begins with default signals`() async throws {
        try #require(FileManager.default.fileExists(atPath: "/proc/self/status"))
        let run = try await run("grep -E 'Sig(Blk|Ign)' /proc/$$/status | cut -f2 | tr '\\n' ' ' >&2; exit 1")
        let masks = try #require(run.error.firstMatch(of: /status 1: ([0-9a-f]{16}) ([0-9a-f]{16})/))
        // The C library ignores signals of its own, 32 and 33.
        for mask in [masks.1, masks.2] { #expect(UInt64(mask, radix: 16).map { $0 & 0x7FFF_FFFF } == 0) }
    }

    @Test func `A command is ended when the run is canceled`() async throws {
        // It is the command that interrupts netqueue: a busy machine may take longer than a command has.
        let run = try await run("trap '' TERM; echo $$ >process; kill -INT $PPID; while :; do sleep 0.1; done")
        #expect(run.exitCode == 130, "\(run.error)")
        let process = try #require(try pid_t(rig.folder.read("process").dropLast()))
        #expect(await eventually { hasEnded(process) })
    }

    @Test func `A program that does not exist, and a comparison of files, are refused`() async throws {
        let missing = try await rig.run("--refresh", "./none --key", "/a")
        #expect(missing.exitCode == 64 && missing.error.contains("--refresh: \"./none\" is not a program"))
        let compared = try await rig.run("--refresh", "sh", "--verify", "/a")
        #expect(compared.exitCode == 64 && compared.error.contains("--verify and --refresh cannot be combined"))
    }
}
