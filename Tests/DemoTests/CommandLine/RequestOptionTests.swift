import Foundation
import LoopbackHTTP
import Testing

@testable import netqueue

struct RequestOptionTests {
    private let rig: NetqueueRig

    init() throws {
        rig = try NetqueueRig()
        rig.server.serve("/a", .text("content"))
    }

    private var url: String { rig.url("/a") }

    private func field(_ name: String) -> [String?] { rig.server.requests.map { $0.headers[name] } }

    @Test func `The options -H and -A set header fields of HEAD and GET`() async throws {
        let run = try await rig.run(["-q", "-H", "X-One: 1", "--header=Accept: text/x", "-A", "me/1", url])
        #expect(run.exitCode == 0)
        #expect(field("X-One") == ["1", "1"] && field("Accept") == ["text/x", "text/x"])
        #expect(field("User-Agent") == ["me/1", "me/1"])
    }

    @Test func `The option -H removes fields and sends empty ones, as in curl`() async throws {
        try rig.folder.write("\(url)\theader=X-Two:\theader=X-Three;\n", to: "list")
        let run = try await rig.run(
            ["-q", "-H", "Accept:", "-H", "User-Agent:", "-H", "X-One: ", "-H", "X-Empty;", "-i", "list"])
        #expect(run.exitCode == 0)
        for name in ["Accept", "User-Agent", "X-One", "X-Two"] { #expect(field(name) == [nil, nil], "\(name)") }
        for name in ["X-Empty", "X-Three"] { #expect(field(name) == ["", ""], "\(name)") }
    }

    @Test func `The User-Agent names netqueue and its version`() async throws {
        _ = try await rig.run(["-q", "--no-sizing", url])
        #expect(field("User-Agent") == ["netqueue/\(HelpText.version)"])
    }

    @Test(arguments: [["-u", "me:se:cret"], ["--netrc"]])
    func `The options -u and --netrc answer a demand for credentials`(options: [String]) async throws {
        rig.server.serve("/a", forLogin: "me:se:cret")
        try rig.folder.write("machine 127.0.0.1 login me password se:cret", to: "netrc")
        let run = try await rig.run(["-q", "--no-sizing"] + options + [url], environment: ["NETRC": "netrc"])
        #expect(run.exitCode == 0 && !run.error.contains("cret"))
    }

    @Test func `The option --netrc answers the host of a redirect, on another port as well`() async throws {
        let other = try LoopbackServer()
        other.serve("/a", forLogin: "you:two")
        for (host, name) in [("localhost", "b"), ("127.0.0.1", "c")] {
            rig.server.serve("/\(name)", .redirect(to: "http://\(host):\(other.port)/a"))
            try rig.folder.write("machine \(host) login you password two", to: "netrc")
            let run = try await rig.run(["-q", "--netrc", rig.url("/\(name)")], environment: ["NETRC": "netrc"])
            #expect(run.exitCode == 0, "\(host): \(run.error)")
        }
        try rig.folder.write("machine localhost login you password wrong", to: "netrc")
        let wrong = try await rig.run(
            ["-q", "--netrc", "--no-sizing", "-o", "d", rig.url("/b")], environment: ["NETRC": "netrc"])
        // It is not tried twice.
        #expect(
            wrong.exitCode == 1 && other.requests.suffix(2).map { $0.headers["Authorization"] != nil } == [false, true])
    }

    @Test func `The option -u gives a login only to hosts that ask for it`() async throws {
        rig.server.serve("/a", forLogin: "me:word")
        rig.server.serve("/open", .text("open"))
        let other = try LoopbackServer()
        other.serve("/c", .text("c"))
        let arguments = ["-q", "-j1", "--checkers=1", "-u", "me:word"]
        let run = try await rig.run(arguments + [rig.url("/open"), url, other.url("/c").absoluteString])
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(other.requests.allSatisfy { $0.headers["Authorization"] == nil })
        let sent = rig.server.requests.map { "\($0.method) \($0.path) \($0.headers["Authorization"] != nil)" }
        // The HEADs come first, and ask for the whole origin.
        #expect(
            sent == [
                "HEAD /open false", "HEAD /a false", "HEAD /a true", "GET /open true", "GET /a true",
            ])
    }

    @Test func `A server that asks for Digest gets no password in the clear`() async throws {
        rig.server.serve("/a") { request in
            request.headers["Authorization"]?.hasPrefix("Digest ") == true
                ? .text("content") : .status(401, headers: ["WWW-Authenticate": Self.digest])
        }
        let run = try await rig.run(["-q", "--netrc", url], environment: ["NETRC": try netrc()])
        #expect(run.exitCode == 0)
        #expect(field("Authorization").allSatisfy { $0?.hasPrefix("Digest ") ?? true })
    }

    private func netrc() throws -> String {
        try rig.folder.write("machine 127.0.0.1 login me password word", to: "netrc")
        return "netrc"
    }

    @Test func `An upload is sent again with its login, and a part is continued with it`() async throws {
        rig.server.serve("/in", .status(201), forLogin: "me:word")
        let content = String(repeating: "x", count: 2 << 20)
        let upload = try await rig.run(["upload", "-u", "me:word", "-", rig.url("/in")], input: content)
        #expect(upload.exitCode == 0 && upload.output.hasPrefix("1 file, 2.0 MiB in "), "\(upload.error)")
        #expect(rig.server.requests.last?.headers["Content-Length"] == "\(2 << 20)")
        let whole = ScriptedResponse.generated(size: 1000).acceptingRanges(etag: "\"1\"")
        let demand = ScriptedResponse.status(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""])
        rig.server.serve("/part", sequence: [demand, whole.dropping(after: 400), whole])
        let run = try await rig.run(["-q", "--no-sizing", "--retry-delay=0", "-u", "me:word", rig.url("/part")])
        let last = rig.server.requests.last?.headers
        #expect(run.exitCode == 0 && last?["Range"] == "bytes=400-" && last?["Authorization"] != nil)
    }

    @Test func `A 401 explains what became of the given user and password`() async throws {
        rig.server.serve("/a", forLogin: "me:word")
        func error(_ arguments: String...) async throws -> String {
            try await rig.run(["-q", "--no-sizing"] + arguments, environment: ["NETRC": try netrc()]).error
        }
        #expect(
            try await error("-u", "me:wrong", url) == "x a: 401 Unauthorized; the user name or password was rejected\n")
        let local = "localhost:\(rig.server.port)"
        #expect(
            try await error("--netrc", "http://\(local)/a")
                == "x a: 401 Unauthorized; the netrc file has no login for \(local)\n")
        rig.server.serve("/b", .redirect(to: "http://\(local)/a"))
        rig.server.forgetRequests()
        #expect(
            try await error("-u", "me:word", rig.url("/b"))
                == "x b: 401 Unauthorized; the login is for 127.0.0.1:\(rig.server.port) and was not sent to \(local)\n"
        )
        let redirected = rig.server.requests.filter { $0.headers["Host"] == local }
        #expect(!redirected.isEmpty && redirected.allSatisfy { $0.headers["Authorization"] == nil })
    }

    @Test func `A 407 explains what became of the user and password of the proxy`() async throws {
        rig.server.serve("/a", .status(407, headers: ["Proxy-Authenticate": "Basic realm=\"p\""]))
        func error(_ proxy: String) async throws -> String {
            try await rig.run(["-q", "--no-sizing", "--proxy", proxy, "http://one.invalid/a"]).error
        }
        let start = "x a: 407 Proxy Authentication Required; "
        #expect(try await error(rig.url("/")).hasPrefix(start + "put user and password into the proxy's URL"))
        let proxy = rig.url("/").replacing("http://", with: "http://me:wrong@")
        #expect(try await error(proxy) == start + "the proxy rejected the user name or password\n")
    }

    @Test func `A demand for credentials that fails mentions -u and --netrc`() async throws {
        rig.server.serve("/a", forLogin: "me:word")
        let run = try await rig.run(["-q", "--no-sizing", url])
        #expect(run.error == "x a: 401 Unauthorized; use -u or --netrc to give a user and a password\n")
    }

    @Test func `The option --compressed lets servers compress`() async throws {
        _ = try await rig.run(["-q", "--no-sizing", "--compressed", url])
        #expect(field("Accept-Encoding").first??.contains("gzip") == true)
    }

    private static let digest = "Digest realm=\"p\", nonce=\"n\", qop=\"auth\", algorithm=MD5"

    @Test(arguments: ["Digest", "Basic"])
    func `A proxy gets its login in the scheme that it asks for, and not before`(scheme: String) async throws {
        rig.server.serve("/a") { request in
            guard let answer = request.headers["Proxy-Authorization"] else {
                let demand = scheme == "Basic" ? "Basic realm=\"p\"" : Self.digest
                return .status(407, headers: ["Proxy-Authenticate": demand])
            }
            let isRight = scheme == "Basic" ? answer == "Basic bWU6YSBi" : answer.contains("username=\"me\"")
            return answer.hasPrefix(scheme) && isRight ? .text("content") : .status(403)
        }
        let proxy = rig.url("/").replacing("http://", with: "http://me:a%20b@")
        let run = try await rig.run(["-q", "-j1", "--no-sizing", "--proxy", proxy, "http://one.invalid/a"])
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(
            field("Proxy-Authorization").map { $0?.prefix(6).trimmingCharacters(in: .whitespaces) } == [nil, scheme])
    }

    @Test func `A proxy for a tunnel gets its login in Digest`() async throws {
        let proxy = try LoopbackServer(
            fallback: .status(
                407, headers: ["Proxy-Authenticate": Self.digest.replacing("MD5", with: "MD5, stale=false")])
        )
        let url = proxy.url("/").absoluteString.replacing("http://", with: "http://me:word@")
        let run = try await rig.run(
            ["-q", "--no-sizing", "--retries=0", "https://one.invalid/a"], environment: ["https_proxy": url])
        #expect(run.exitCode == 1)
        let answers = proxy.requests.compactMap { $0.headers["Proxy-Authorization"] }
        #expect(proxy.requests.first?.headers["Proxy-Authorization"] == nil)
        #expect(!answers.isEmpty && answers.allSatisfy { $0.hasPrefix("Digest ") })
    }

    @Test func `A temporary failure is retried three times, and says why and when`() async throws {
        rig.server.serve("/a", sequence: [.status(503), .status(503), .status(503), .text("content")])
        let run = try await rig.run(["--no-sizing", "--retry-delay=0.01", url])
        #expect(run.exitCode == 0 && rig.server.counters.requests == 4)
        #expect(run.error.components(separatedBy: "a: 503 Service Unavailable; retrying in ").count == 4)
    }

    @Test func `The option --timeout gives up on a silent server`() async throws {
        rig.server.serve("/a", ScriptedResponse.generated(size: 1000).stalling(after: 10))
        let run = try await rig.run(["-q", "--no-sizing", "--timeout=0.2", "--retries=0", url])
        #expect(run.exitCode == 1)
        #expect(run.error == "x a: the request to 127.0.0.1:\(rig.server.port) timed out after 10 of 1,000 bytes\n")
    }
}
