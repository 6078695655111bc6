import Foundation
import LoopbackHTTP
import Testing

@testable import netqueue

/// What runs without a terminal write, word for word.
@Suite(.timeLimit(.minutes(10)))
struct TranscriptTests {
    private let rig: NetqueueRig

    init() throws {
        rig = try NetqueueRig()
        rig.server.serve("/a", .text("content"))
    }

    @Test func `The option -v writes redirects, demands, retries and ends word for word`() async throws {
        rig.server.serve("/old", .redirect(to: "/new"))
        rig.server.serve("/new", .status(401, headers: ["WWW-Authenticate": "Basic realm=\"the realm\""]))
        rig.server.serve("/busy", sequence: [.status(503), .text("at last")])
        let run = try await rig.run(
            "-v", "--no-sizing", "-j1", "--retry-delay=0.1", "-A", "me/1", "/old", "/busy", "/missing")
        #expect(run.exitCode == 1)
        let port = rig.server.port
        let path = rig.folder.url.resolvingSymlinksInPath().path(percentEncoded: false)
        func command(_ name: String) -> String {
            "> curl -H 'User-Agent: me/1' --create-dirs -o \(path)/\(name) 'http://127.0.0.1:\(port)/\(name)' -L -b ''"
        }
        // Some are told of on other threads, and may come earlier or later.
        #expect(
            run.settledError.withoutTimes.split(separator: "\n").sorted()
                == """
                \(command("old"))
                < old: 302, redirects to http://127.0.0.1:\(port)/new
                < old: 401, asks for credentials (Basic, "the realm")
                < old: 401, 0 B
                x old: 401 Unauthorized; use -u or --netrc to give a user and a password
                \(command("busy"))
                busy: 503 Service Unavailable; retrying in 0.1 s
                < busy: 200 text/plain; charset=utf-8, 7 B
                = busy: 7 B in TIME
                \(command("missing"))
                < missing: 404, 0 B
                x missing: 404 Not Found
                Downloading 3 files
                1/3 files, 2 failed, 7 B
                """.split(separator: "\n").sorted())
    }

    @Test(arguments: [["--retries=0"], ["-v"], ["-q"], ["--progress=never"]])
    func `With --timestamps each line of the log begins with the time in UTC`(options: [String]) async throws {
        let run = try await rig.run(options + ["--timestamps", rig.url("/a"), rig.url("/missing")])
        let lines = run.error.split(separator: "\n")
        let time = /2[0-9]{3}-[01][0-9]-[0-3][0-9]T[0-9:]{8}\.[0-9]{3}Z/
        for line in lines { #expect(line.prefixMatch(of: time) != nil, "\(line)") }
        #expect(lines.contains { $0.hasSuffix(" x missing: 404 Not Found") })
        #expect(run.output.contains(time) == false)

        let terminal = try PseudoTerminal(columns: 100)
        let drawn = try await rig.run(options + ["--timestamps", rig.url("/missing")], terminal: terminal)
        #expect(drawn.error.contains(/[0-9]Z x missing: 404 Not Found/))
    }

    @Test func `A retry in plain lines says how long the server asked to wait`() async throws {
        let (first, second) = (Gate(), Gate())
        rig.server.serve("/later", ScriptedResponse.status(503, headers: ["Retry-After": "3000"]).gated(by: first))
        rig.server.serve("/fails", ScriptedResponse.status(502).gated(by: second))
        let terminal = try PseudoTerminal(columns: 100)
        let run = try await rig.run(
            "--json", "--no-sizing", "--retries=9", "--retry-delay=0.1", "--timeout=900", "/later", "/fails",
            environment: ["TERM": "dumb"], terminal: terminal
        ) { process in
            // It would not begin before the other's wait is over.
            _ = await rig.server.wait { $0.requests == 2 }
            first.open()
            await terminal.wait(for: "later: ")
            second.open()
            await terminal.wait(for: "fails: ")
            kill(process, SIGINT)
        }
        #expect(run.exitCode == 130 && !run.error.contains("\u{1B}"))
        // The server's wait is cut to five minutes. The other begins to wait later, by as much as a busy machine takes.
        let lines = run.error.split(whereSeparator: \.isNewline).map(String.init)
        #expect(lines.contains("127.0.0.1 asks to wait 50 min 0 s; retrying in 5 min 0 s"), "\(lines)")
        #expect(lines.contains("later: 503 Service Unavailable; retrying in 5 min 0 s"), "\(lines)")
        #expect(
            lines.contains { $0.wholeMatch(of: /fails: 502 Bad Gateway; retrying in [1-5] min [0-9]+ s/) != nil },
            "\(lines)")
        let waits = run.output.matches(of: /"event":"retry".*"seconds":([0-9.]+)/).compactMap { Double($0.1) }
        #expect(waits.count == 2 && waits.allSatisfy { $0 > 60 && $0 <= 300 }, "\(run.output)")
    }

    @Test func `The option --verify writes each fault, the last line and the summary word for word`() async throws {
        for name in ["one", "two", "free"] { try rig.folder.write("content", to: name) }
        let zeros = String(repeating: "0", count: 64)
        let list = """
            http://h.test/one\tsize=7
            http://h.test/two\tchecksum=sha256:\(zeros)
            nonsense
            http://h.test/three
            http://h.test/free
            """
        let run = try await rig.run("--verify", "-v", "-i-", input: list)
        #expect(run.exitCode == 1)
        #expect(
            run.settledError == """
                x standard input:3: not an http or https URL: "nonsense"
                Verifying 5 files
                = one: OK
                x two: checksum differs: SHA-256 is ed7002b439e9..., expected 000000000000...
                x three: missing
                = free: OK
                2/5 files, 3 failed, 7 B

                """)
        #expect(
            run.output.withoutTimes == """
                2 of 5 files, 7 B in TIME, 2 without size or checksum
                3 failed: 1 x checksum differs, 1 x invalid list line, 1 x missing

                """)
    }

    @Test func `netqueue sizes writes both of its questions word for word`() async throws {
        rig.server.serve("/picky", ScriptedResponse.text("12345").acceptingRanges(etag: "\"1\"").refusingHEAD())
        let url = rig.url("/picky")
        let run = try await rig.run("sizes", "--retries=0", "-i-", "/picky", "/a", input: "foo\n")
        #expect(run.exitCode == 1)
        #expect(
            run.settledError == """
                x standard input:1: not an http or https URL: "foo"
                Requesting the sizes of 3 files
                2/3 files, 1 failed, 7 B
                Retrying the sizes of 1 file
                1/1 file, 12 B

                """)
        #expect(
            run.output == """
                       5 B  \(url)
                       7 B  \(rig.url("/a"))
                      12 B  total of 2 files
                1 failed: 1 x invalid list line

                """)
    }

    @Test(arguments: [
        ["-i", "list"], ["sizes", "-i", "list"], ["upload", "-i", "list", "/in/"], ["--verify", "-ilist"],
    ])
    func `Wrong lines beyond the twentieth are counted even if nothing else is in a list`(arguments: [String])
        async throws
    {
        try rig.folder.write((1...25).map { "wrong \($0)\n" }.joined(), to: "list")
        let run = try await rig.run(arguments.map { $0.hasPrefix("/") ? rig.url($0) : $0 })
        #expect(run.exitCode == 1)
        let lines = run.error.split(separator: "\n").filter { $0.hasPrefix("x ") }
        #expect(lines.count == 21 && lines.last == "x 5 more failures; use -v to show all", "\(run.error)")
        let kind = arguments.contains("upload") ? "cannot be read" : "invalid list line"
        #expect(run.output.hasSuffix("25 failed: 25 x \(kind)\n"))
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "curl is not installed"))
    func `The option -v prints curl commands of uploads that work when pasted`() async throws {
        try rig.folder.write("it's content", to: "b 'c'.txt")
        for path in ["/in/b%20'c'.txt", "/form"] { rig.server.serve(path, .status(201)) }
        for arguments in [
            ["b 'c'.txt", "/in/"], ["--form", "note=it's; \"x\"", "--form", "file=@b 'c'.txt", "/form"],
        ] {
            rig.server.forgetRequests()
            let run = try await rig.run(["upload", "-v"] + arguments.map { $0.hasPrefix("/") ? rig.url($0) : $0 })
            #expect(run.exitCode == 0, "\(run.error)")
            let line = try #require(run.error.split(separator: "\n").first { $0.hasPrefix("> curl ") })
            let pasted = try await rig.run([], shell: String(line.dropFirst(2)) + " -s")
            #expect(pasted.exitCode == 0)
            let sent = rig.server.requests.map { request in
                let boundary = request.headers["Content-Type"]?.components(separatedBy: "boundary=").last ?? ""
                let body = String(decoding: request.body, as: UTF8.self)
                return "\(request.method) \(request.path) "
                    + (boundary.isEmpty ? body : body.replacing(boundary, with: "-"))
            }
            #expect(sent.count == 2 && sent.first == sent.last, "\(sent)")
        }
    }
}
