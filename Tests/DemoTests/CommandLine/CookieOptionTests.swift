import LoopbackHTTP
import Testing

struct CookieOptionTests {
    private let rig: NetqueueRig

    init() throws {
        rig = try NetqueueRig()
        // A download gate: it sets a cookie, and wants it at the same URL.
        rig.server.serve("/gate") { request in
            request.headers["Cookie"] == "seen=1"
                ? .text("content") : .status(302, headers: ["Set-Cookie": "seen=1; Path=/", "Location": "/gate"])
        }
        rig.server.serve("/plain", .text("content"))
    }

    private var sent: [String?] { rig.server.requests.map { $0.headers["Cookie"] } }

    @Test func `Cookies are kept during a run, and not in a file`() async throws {
        let run = try await rig.run(
            ["-q", "--no-sizing", "-j1", rig.url("/gate"), rig.url("/plain")],
            environment: ["HOME": rig.folder.path, "XDG_DATA_HOME": rig.folder.path])
        #expect(run.exitCode == 0 && sent == [nil, "seen=1", "seen=1"])
        #expect(try rig.folder.files().sorted() == ["gate", "plain"])
        _ = try await rig.run(["-q", "--no-sizing", "--overwrite", rig.url("/plain")])
        #expect(sent.last == .some(nil))
    }

    @Test func `The option --no-cookies discards cookies`() async throws {
        let run = try await rig.run(["-q", "--no-sizing", "--no-cookies", rig.url("/gate")])
        #expect(run.exitCode == 1 && sent.allSatisfy { $0 == nil })
    }

    @Test func `The option --cookies reads cookies from a file, each for its own host`() async throws {
        try rig.folder.write(
            "127.0.0.1\tFALSE\t/\tFALSE\t0\tseen\t1\nother.example\tFALSE\t/\tFALSE\t0\tsecret\t2\n", to: "jar")
        let run = try await rig.run(["-q", "--cookies", "jar", rig.url("/gate")])
        #expect(run.exitCode == 0 && sent == ["seen=1", "seen=1"])
        #expect(try rig.folder.read("jar").hasSuffix("secret\t2\n"))
    }

    @Test func `The cookies of a file with an odd line are those of its other lines, with a warning`() async throws {
        try rig.folder.write("nonsense\n127.0.0.1\tFALSE\t/\tFALSE\t4102444800.5\tseen\t1\n", to: "jar")
        let run = try await rig.run(["-q", "--cookies", "jar", rig.url("/gate")])
        #expect(run.exitCode == 0 && sent == ["seen=1", "seen=1"])
        #expect(run.error == "netqueue: --cookies: jar:1 is not a cookie in the Netscape format; skipped\n")
    }
}
