import Foundation
import LoopbackServer
import Testing

@testable import netqueue

@Suite("How netqueue asks")
final class RequestOptionTests {
    private let server: LoopbackServer
    private let folder: TemporaryFolder

    init() throws {
        server = try LoopbackServer()
        folder = try TemporaryFolder()
        server.serve("/a", .text("content"))
    }

    deinit {
        server.stop()
        folder.remove()
    }

    private var url: String { server.url("/a").absoluteString }

    /// Has the server want a login.
    private func demand(user: String, password: String) {
        let login = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        server.serve("/a") { request in
            request.headers["Authorization"] == login
                ? .text("content") : .status(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""])
        }
    }

    private func field(_ name: String) -> [String?] { server.requests.map { $0.headers[name] } }

    @Test func `has the header fields that it is told, in HEAD and GET`() async throws {
        let run = try await NetqueueRun.run(
            ["-q", "-H", "X-One: 1", "--header=Accept: text/x", "-A", "me/1", url], in: folder)
        #expect(run.exitCode == 0)
        #expect(field("X-One") == ["1", "1"] && field("Accept") == ["text/x", "text/x"])
        #expect(field("User-Agent") == ["me/1", "me/1"])
    }

    @Test func `names itself`() async throws {
        _ = try await NetqueueRun.run(["-q", "--no-sizing", url], in: folder)
        #expect(field("User-Agent") == ["netqueue/\(HelpText.version)"])
    }

    @Test(arguments: [(["-u", "me:se:cret"], 0), (["-u", "me:wrong"], 1), ([], 1)] as [([String], Int32)])
    func `answers with the login that it is told`(arguments: [String], code: Int32) async throws {
        demand(user: "me", password: "se:cret")
        let run = try await NetqueueRun.run(["-q", "--no-sizing"] + arguments + [url], in: folder)
        #expect(run.exitCode == code)
        #expect(!run.error.contains("cret"))
    }

    @Test func `takes logins from a netrc`() async throws {
        demand(user: "me", password: "word")
        try folder.write("machine 127.0.0.1 login me password word", to: "netrc")
        let run = try await NetqueueRun.run(
            ["-q", "--netrc", "--no-sizing", url], in: folder, environment: ["NETRC": "netrc"])
        #expect(run.exitCode == 0)
    }

    @Test func `lets servers compress when it is told`() async throws {
        _ = try await NetqueueRun.run(["-q", "--no-sizing", "--compressed", url], in: folder)
        #expect(field("Accept-Encoding").first??.contains("gzip") == true)
    }

    @Test func `goes through the proxy that it is told, against the environment`() async throws {
        let run = try await NetqueueRun.run(
            ["-q", "--no-sizing", "--proxy", server.url("/").absoluteString, "http://nowhere.invalid/a"], in: folder,
            environment: ["http_proxy": "http://127.0.0.1:1"])
        #expect(run.exitCode == 0)
        #expect(server.requests.map(\.target) == ["http://nowhere.invalid/a"])
    }

    @Test func `tries again three times, and says why and when`() async throws {
        server.serve("/a", sequence: [.status(503), .status(503), .status(503), .text("content")])
        let run = try await NetqueueRun.run(["--no-sizing", "--retry-delay=0.01", url], in: folder)
        #expect(run.exitCode == 0 && server.counters.requests == 4)
        #expect(run.error.components(separatedBy: "a: 503 Service Unavailable; again in ").count == 4)
    }

    @Test func `gives one up that is silent`() async throws {
        server.serve("/a", ScriptedResponse.generated(size: 1000).stalling(after: 10))
        let run = try await NetqueueRun.run(["-q", "--no-sizing", "--timeout=0.2", "--retries=0", url], in: folder)
        #expect(run.exitCode == 1)
        #expect(run.error == "x a: the server took too long to answer (127.0.0.1)\n")
    }

    @Test func `cancels all others on a failure when it is told`() async throws {
        let urls = (0..<50).map { server.url("/none\($0)").absoluteString }
        let run = try await NetqueueRun.run(
            ["-q", "--no-sizing", "-j1", "--fail-fast", "--failed=f"] + urls, in: folder)
        #expect(run.exitCode == 1 && server.counters.requests == 1)
        #expect(run.error == "x none0: 404 Not Found\n")
        #expect(try folder.text("f").split(separator: "\n").count == 50)
    }

    @Test func `begins with the last one when it is told`() async throws {
        for name in ["one", "two", "three"] { server.serve("/\(name)", .text(name)) }
        let urls = ["one", "two", "three"].map { server.url("/\($0)").absoluteString }
        _ = try await NetqueueRun.run(["-q", "--no-sizing", "-j1", "--lifo"] + urls, in: folder)
        #expect(server.requests.map(\.path) == ["/three", "/two", "/one"])
    }
}
