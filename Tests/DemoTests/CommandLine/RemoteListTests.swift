import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import netqueue

/// Lists that a server sends.
@Suite(.timeLimit(.minutes(10)))
struct RemoteListTests {
    private let rig: NetqueueRig
    /// A server that the user has not named.
    private let other: LoopbackServer

    init() throws {
        rig = try NetqueueRig()
        other = try LoopbackServer(fallback: .text("other"))
        for name in ["a", "b", "lists/c"] { rig.server.serve("/\(name)", .text(name)) }
    }

    private func serve(_ lines: String..., at path: String = "/lists/list") {
        rig.server.serve(path, .text(lines.map { $0 + "\n" }.joined()))
    }

    private var requests: [String] { rig.server.requests.map(\.path) }

    // MARK: What it names

    @Test func `The URLs of a list are relative to its own URL after redirects`() async throws {
        serve("../a", "/b", "c\tmirror=/none", "\(rig.url("/a"))?1\tout=d", "//127.0.0.1:\(rig.server.port)/a?2\tout=e")
        rig.server.serve("/moved", .redirect(to: "/lists/list?version=1"))
        rig.server.serve("/lists/list?version=1", .text("../a\n/b\nc\n?x\tout=f\n"))
        rig.server.serve("/lists/list?x", .text("f"))
        let run = try await rig.run("-i", "/lists/list")
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(try rig.folder.files() == ["a", "b", "c", "d", "e"])
        #expect(try rig.folder.read("c") == "lists/c")
        let moved = try await rig.run("-d", "moved", "-i", "/moved")
        #expect(moved.exitCode == 0, "\(moved.error)")
        #expect(try rig.folder.files().filter { $0.hasPrefix("moved/") } == ["a", "b", "c", "f"].map { "moved/" + $0 })
    }

    @Test func `Lists whose URLs differ only in the spelling of a letter are two`() async throws {
        serve("/a", at: "/%C3%BC")
        serve("/b", at: "/u%CC%88")
        let run = try await rig.run("-i", "\(rig.url("/"))\u{FC}", "-i", "\(rig.url("/"))u\u{308}")
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(try rig.folder.files() == ["a", "b"])
    }

    @Test func `Messages and the list of --failed have absolute URLs, and are a list of their own`() async throws {
        serve("# remark", "none?1\tmirror=/gone", "c\tsize=many", "  mirror=../x", "ftp://h/x", "  out=lost")
        let run = try await rig.run("-q", "-i", "/lists/list", "--failed", "again", "--retries=0")
        #expect(run.exitCode == 1)
        let place = rig.url("/lists/list")
        #expect(run.error.contains("x \(place):3: invalid field \"size=many\""), "\(run.error)")
        #expect(run.error.contains("x \(place):5: not an http or https URL: \"ftp://h/x\""))
        #expect(
            try rig.folder.read("again") == """
                \(rig.url("/lists/c"))\tsize=many
                  mirror=\(rig.url("/x"))
                ftp://h/x
                  out=lost
                \(rig.url("/lists/none?1"))\tmirror=\(rig.url("/gone"))

                """)
    }

    @Test func `A relative URL is in the shard of the absolute one, as is a wrong line`() async throws {
        let lines = (0..<6).map { "\($0)" } + (0..<6).map { "\($0)\tsize=x" }
        rig.server.serve("/lists/list", .text(lines.map { $0 + "\n" }.joined()))
        try rig.folder.write(lines.map { rig.url("/lists/") + $0 + "\n" }.joined(), to: "list")
        for shard in ["1/3", "2/3", "3/3"] {
            let options = ["-q", "--no-sizing", "--retries=0", "--shard", shard]
            _ = try await rig.run(options + ["-i", rig.url("/lists/list"), "--failed", "remote"])
            _ = try await rig.run(options + ["-i", "list", "--failed", "local"])
            #expect(try rig.folder.read("remote") == rig.folder.read("local"))
        }
    }

    @Test func `The sizes of the files of such a list are told`() async throws {
        serve("../a", "c")
        let run = try await rig.run("sizes", "-q", "-i", "/lists/list")
        #expect(run.exitCode == 0 && run.output.contains(rig.url("/lists/c")), "\(run.error)")
        let dry = try await rig.run("-n", "-i", "/lists/list")
        #expect(dry.exitCode == 0 && dry.output.contains("new"), "\(dry.error)")
    }

    // MARK: What it may not

    @Test(
        arguments: [
            "header=Authorization: Basic eDp5", "header=authorization:", "header=COOKIE: a=1", "header=Host: evil",
            "header= Cookie ; ", "header=Cookie;", "header=Proxy-Authorization: x", "header=X: 1\rCookie: a=1",
            "out=../up", "out=/etc/up", "out=a/../../up", "out=a.nqk.part", "out=b\u{1B}[2J",
        ])
    func `A line fails that sets a reserved field or a path outside the folder`(field: String) async throws {
        serve("../a", "../b\t\(field)")
        let run = try await rig.run("--json", "-d", "in", "-i", "/lists/list", "--retries=0")
        #expect(run.exitCode == 1)
        #expect(run.output.contains(#""error":"line""#), "\(run.output)")
        #expect(try rig.folder.files() == ["in/a"])
        #expect(!requests.contains("/b"))
        #expect(
            rig.server.requests.allSatisfy {
                $0.headers["Cookie"] == nil && $0.headers["Authorization"] == nil && $0.headers["Host"] != "evil"
            })
    }

    @Test func `A list of the user may set each field, and a list of a server the others`() async throws {
        try rig.folder.write("\(rig.url("/b"))\theader=Cookie: own=1\n", to: "own")
        serve("../a\theader=X-Kind: 1")
        let run = try await rig.run("--no-sizing", "-i", "own", "-i", "/lists/list")
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(rig.server.requests.first { $0.path == "/b" }?.headers["Cookie"] == "own=1")
        #expect(rig.server.requests.first { $0.path == "/a" }?.headers["X-Kind"] == "1")
    }

    #if canImport(Glibc)
        @Test func `A list that came by https may not name http URLs`() async throws {
            let identity = try LoopbackServer.TLSIdentity()
            let server = try LoopbackServer(tls: identity, fallback: .text("secure"))
            server.serve(
                "/list",
                .text("x\n\(rig.url("/a"))\ny\tmirror=\(rig.url("/b"))\nHTTP://127.0.0.1:\(rig.server.port)/b\n"))
            // Fetched by http, and moved to https.
            rig.server.serve("/list", .redirect(to: server.url("/list").absoluteString))
            for list in [server.url("/list").absoluteString, rig.url("/list")] {
                let run = try await rig.run([
                    "--json", "--overwrite", "--cacert", identity.certificateFile.path(percentEncoded: false), "-i",
                    list,
                ])
                #expect(run.exitCode == 1)
                #expect(run.output.components(separatedBy: "which is http").count == 4, "\(run.output)")
                #expect(try rig.folder.files() == ["x"])
            }
            #expect(Set(requests) == ["/list"])
        }
    #endif

    // MARK: What belongs to the user

    private let secrets = ["-u", "me:secret", "-H", "X-Key: secret", "-H", "Cookie: key=secret"]

    /// Whether the server that the user has not named got something of the user.
    private var isBetrayed: Bool {
        other.requests.contains { request in
            request.headers.contains { $0.value.contains("secret") } || request.headers["Authorization"] != nil
        }
    }

    private func serveSecrets() {
        rig.server.serve("/own", forLogin: "me:secret")
        other.serve("/", forLogin: "me:secret")
        other.serve("/foreign", forLogin: "me:secret")
        serve("/own", other.url("/foreign").absoluteString)
    }

    @Test func `Login and fields go to the server of the list, and not to others that it names`() async throws {
        serveSecrets()
        let run = try await rig.run(["-v", "--retries=0", "-i", rig.url("/lists/list")] + secrets)
        #expect(run.exitCode == 1 && !isBetrayed && !other.requests.isEmpty)
        let commands = run.error.split(separator: "\n").filter { $0.hasPrefix("> curl") }
        #expect(commands.filter { $0.contains("X-Key") }.count == 1 && commands.count == 2, "\(commands)")
        #expect(run.error.contains("--trust-list sends them to others, too"), "\(run.error)")
        #expect(try rig.folder.read("own") == "content")
        let own = rig.server.requests.filter { $0.path == "/own" }
        #expect(own.allSatisfy { $0.headers["X-Key"] == "secret" && $0.headers["Cookie"] == "key=secret" })
        #expect(rig.server.requests.first?.headers["X-Key"] == "secret")
    }

    @Test func `With --trust-list, login and fields go to each server`() async throws {
        serveSecrets()
        let run = try await rig.run(["--trust-list", "--retries=0", "-i", rig.url("/lists/list")] + secrets)
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(other.requests.allSatisfy { $0.headers["X-Key"] == "secret" })
    }

    @Test func `Login and fields go to servers that the user has named beside the list`() async throws {
        serveSecrets()
        let named = try LoopbackServer()
        named.serve("/named", forLogin: "me:secret")
        named.serve("/listed", forLogin: "me:secret")
        try rig.folder.write("\(named.url("/listed"))\n", to: "mine")
        serve("/own")
        let arguments = ["--retries=0", "-i", rig.url("/lists/list"), "-i", "mine", named.url("/named").absoluteString]
        let run = try await rig.run(arguments + secrets)
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(named.requests.allSatisfy { $0.headers["X-Key"] == "secret" })
    }

    @Test func `Redirects and mirrors do not take login and fields to other servers`() async throws {
        serveSecrets()
        rig.server.serve("/moved", .redirect(to: other.url("/foreign").absoluteString))
        rig.server.serve("/broken", .status(404))
        serve("/moved", "/broken\tmirror=\(other.url("/mirror"))")
        _ = try await rig.run(["--retries=0", "-i", rig.url("/lists/list")] + secrets)
        #expect(!isBetrayed && Set(other.requests.map(\.path)) == ["/foreign", "/mirror"])
        #expect(try rig.folder.read("broken") == "other")
    }

    @Test func `A list that has moved to another server gives that server nothing`() async throws {
        serveSecrets()
        other.serve("/list", .text("foreign\n\(rig.url("/own"))\n"))
        rig.server.serve("/list", .redirect(to: other.url("/list").absoluteString))
        let run = try await rig.run(["--retries=0", "-i", rig.url("/list")] + secrets)
        #expect(run.exitCode == 1 && !isBetrayed)
        #expect(Set(other.requests.map(\.path)) == ["/list", "/foreign"])
        #expect(try rig.folder.files() == ["own"])
    }

    @Test func `A login in the URL of a list is not that of the URLs in it`() async throws {
        rig.server.serve("/lists/list", .text("../a\n/none\n"), forLogin: "me:secret")
        let url = rig.url("/lists/list").replacing("://", with: "://me:secret@")
        let run = try await rig.run(["-v", "-i", url, "--retries=0", "--failed", "again"])
        #expect(run.exitCode == 1 && !run.error.contains("secret"))
        #expect(try rig.folder.read("again") == rig.url("/none") + "\n")
        #expect(rig.server.requests.last { $0.path == "/a" }?.headers["Authorization"] == nil)
    }

    @Test func `The file of --netrc has the logins of each host, as ever`() async throws {
        serveSecrets()
        try rig.folder.write("machine 127.0.0.1 login me password secret\n", to: "netrc")
        let run = try await rig.run(
            ["--netrc", "-i", rig.url("/lists/list")], environment: ["NETRC": "netrc"])
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(try rig.folder.files() == ["foreign", "netrc", "own"])
    }

    @Test(.enabled(if: OpenSSLServer.isInstalled, "openssl is not installed"))
    func `The certificate of --cert goes to servers that the user has named`() async throws {
        let server = try OpenSSLServer(in: rig.folder, asksForCertificate: true)
        defer { server.stop() }
        let url = server.url("served")
        serve(url)
        func code(_ options: String...) async throws -> Int32 {
            let arguments = [
                "--no-sizing", "--retries=0", "--cacert", "server.pem", "--cert", "client.pem", "--key", "client.key",
                "-d", "in", "--overwrite", "-i", rig.url("/lists/list"),
            ]
            return try await rig.run(arguments + options).exitCode
        }
        #expect(try await code() == 1)
        #expect(try await code("--trust-list") == 0)
        #expect(try await code(url) == 0)
        #expect(try rig.folder.read("in/served") == "content")
    }

    // MARK: Lists that cannot be had

    @Test func `If a list cannot be fetched, nothing is started, and the exit code is 1`() async throws {
        rig.server.serve("/page", .text("\n <!DOCTYPE html><p>Sign in</p>"))
        rig.server.serve("/accepted", .text("a", status: 202))
        rig.server.serve("/wide", .data(try #require((rig.url("/a") + "\n").data(using: .utf16LittleEndian))))
        for (path, reason) in [
            ("/none", "404 Not Found"), ("/page", "is a web page, not a list"), ("/wide", "is UTF-16"),
            ("/accepted", "202"),
        ] {
            let run = try await rig.run(
                "-d", "in", "--status", "status", "--failed", "again", "-i", path, "/a", "--retries=0")
            #expect(run.exitCode == 1 && run.output.isEmpty)
            #expect(run.error.hasPrefix("netqueue: the list \"\(rig.url(path))\" "), "\(run.error)")
            #expect(run.error.contains(reason) && run.error.split(separator: "\n").count == 1, "\(run.error)")
        }
        let closed = try ClosedPort()
        let run = try await rig.run(["--retries=0", "-i", closed.url("/list").absoluteString, rig.url("/a")])
        #expect(run.exitCode == 1 && run.error.contains("connection refused"), "\(run.error)")
        #expect(try rig.folder.files() == [] && !requests.contains("/a"))
    }

    @Test(.enabled(if: access("/bin/gzip", X_OK) == 0 || access("/usr/bin/gzip", X_OK) == 0, "gzip is not installed"))
    func `A list has at most 64 MiB after decoding`() async throws {
        for (size, reason) in [(RemoteLists.largest, "at most 1 MiB is read"), (65 << 20, "is too large")] {
            let folder = try TemporaryFolder()
            try folder.write(Data(repeating: UInt8(ascii: "x"), count: size), to: "list")
            #expect(try SpawnedProgram.run(["/usr/bin/env", "gzip", folder.path + "/list"]) == 0)
            let content = try Data(contentsOf: folder.file("list.gz"))
            #expect(content.count < 1 << 20)
            rig.server.serve("/large", .data(content).header("Content-Encoding", "gzip"))
            let run = try await rig.run("-i", "/large")
            #expect(run.exitCode == 1 && run.error.contains(reason), "\(run.error)")
        }
    }

    @Test func `A list that does not come ends with --stop-after`() async throws {
        rig.server.serve("/list", ScriptedResponse.text("/a\n").gated(by: Gate()))
        let run = try await rig.run("--stop-after=1s", "--timeout=900", "-i", "/list")
        #expect(run.exitCode == 1 && run.error.contains("timed out"), "\(run.error)")
        #expect(requests.allSatisfy { $0 == "/list" })
    }

    @Test func `Temporary failures of a list are retried`() async throws {
        rig.server.serve("/list", sequence: [.status(503), .text("/a\n")])
        let run = try await rig.run("--retry-delay=0", "-i", "/list")
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(try rig.folder.read("a") == "a")
    }

    // MARK: Checksums

    @Test func `The list of --checksums may be at a URL`() async throws {
        let digits = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
        rig.server.serve("/SHA256SUMS", .text("\(digits)  a\nnonsense\n"))
        let run = try await rig.run("--checksums", "/SHA256SUMS", "/a", "/b")
        #expect(run.exitCode == 1)
        #expect(run.error.contains("x \(rig.url("/SHA256SUMS")):2: "), "\(run.error)")
        #expect(run.error.contains("1 file has no line in \(rig.url("/SHA256SUMS")): b"))
        #expect(try rig.folder.read("a") == "a")
        rig.server.serve("/SHA256SUMS", .text(String(repeating: "0", count: 64) + "  a\n"))
        let wrong = try await rig.run("--checksums", "/SHA256SUMS", "/a", "--overwrite")
        #expect(wrong.exitCode == 1 && wrong.error.contains("checksum differs"))
        #expect(try await rig.run("--checksums", "/SHA256SUMS", "--verify").exitCode == 1)
        let none = try await rig.run("--checksums", "/none", "/b", "--overwrite", "--retries=0")
        #expect(none.exitCode == 1 && none.error.hasPrefix("netqueue: the checksum list \""), "\(none.error)")
    }

    // MARK: Usage

    @Test(
        arguments: [
            (["upload", "-i", "https://h/list", "https://h/"], "a list of files to upload must be a file"),
            (["--trust-list", "-i", "list"], "--trust-list requires a list from a URL"),
            (["upload", "--trust-list", "a", "http://h/"], "--trust-list is not an option"),
        ] as [([String], String)])
    func `A list from a URL that makes no sense is refused`(arguments: [String], text: String) {
        let error = #expect(throws: UsageError.self) { try Invocation(arguments: arguments) }
        #expect(error?.code == .usage && error?.message.contains(text) == true, "\(error?.message ?? "")")
    }

    @Test func `The URL of a list must be one`() async throws {
        let run = try await rig.run(["-i", "http:///list", rig.url("/a")])
        #expect(run.exitCode == 64 && run.error.contains("no host in \"http:///list\""), "\(run.error)")
        #expect(requests.isEmpty)
    }
}
