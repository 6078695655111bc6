import Foundation
import LoopbackHTTP
import Testing

@Suite("netqueue upload")
struct UploadCommandTests {
    private let rig: NetqueueRig

    init() throws {
        rig = try NetqueueRig()
        try rig.folder.write("one", to: "a.txt")
        try rig.folder.write("second", to: "b c.txt")
    }

    @Test func `puts files below a URL, each under its name`() async throws {
        for name in ["a.txt", "b%20c.txt"] { rig.server.serve("/in/\(name)", .status(201)) }
        let run = try await rig.run(["upload", "a.txt", "b c.txt", rig.url("/in/")])
        #expect(run.exitCode == 0)
        #expect(run.output.hasPrefix("2 files, 9 B in "))
        #expect(run.error.hasPrefix("Uploading 2 files\n"))
        #expect(Set(rig.server.requests.map { "\($0.method) \($0.path)" }) == ["PUT /in/a.txt", "PUT /in/b%20c.txt"])
        #expect(Set(rig.server.requests.map { String(decoding: $0.body, as: UTF8.self) }) == ["one", "second"])
    }

    @Test func `puts one file to the very URL`() async throws {
        rig.server.serve("/x", .status(204))
        let run = try await rig.run(["upload", "-q", "a.txt", rig.url("/x")])
        #expect(run.exitCode == 0 && rig.server.requests.map(\.path) == ["/x"])
        #expect(run.output.isEmpty && run.error.isEmpty)
    }

    @Test func `posts a form`() async throws {
        rig.server.serve("/form", .text("thanks"))
        let run = try await rig.run(["upload", "--form", "note=hello", "--form", "file=@a.txt", rig.url("/form")])
        #expect(run.exitCode == 0)
        let request = try #require(rig.server.requests.first)
        #expect(request.method == "POST")
        #expect(request.headers["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true)
        let body = String(decoding: request.body, as: UTF8.self)
        #expect(body.contains("name=\"note\"\r\n\r\nhello\r\n"))
        #expect(body.contains("name=\"file\"; filename=\"a.txt\"") && body.contains("\r\n\r\none\r\n"))
    }

    @Test func `tells what a server refuses`() async throws {
        rig.server.serve("/in/a.txt", .status(507))
        rig.server.serve("/in/b%20c.txt", .status(201))
        let run = try await rig.run(["upload", "--retries=0", "a.txt", "b c.txt", rig.url("/in/")])
        #expect(run.exitCode == 1)
        #expect(run.error.contains("x a.txt: 507 "))
        #expect(run.output.hasPrefix("1 of 2 files, "))
    }

    @Test func `shows in one line what the server has to say about a failure`() async throws {
        let long = String(repeating: "é", count: 150)
        rig.server.serve("/in/a.txt", .text("{\"error\":\n\t\"quota\u{1B}[31m exceeded\"}\n", status: 507))
        rig.server.serve("/in/b%20c.txt", .text(long, status: 403))
        let run = try await rig.run(
            ["upload", "-j1", "--retries=0", "a.txt", "b c.txt", rig.url("/in/")], environment: ["LC_ALL": "C.UTF-8"])
        let lines = run.error.split(separator: "\n")
        #expect(lines.contains("✗ a.txt: 507 Insufficient Storage: {\"error\": \"quota [31m exceeded\"}"))
        #expect(lines.contains("✗ b c.txt: 403 Forbidden: \(String(repeating: "é", count: 98))…"))
        #expect(run.output.contains("1 × 403 Forbidden, 1 × 507 Insufficient Storage\n"))
    }

    @Test func `has the answer and the bytes of the file in its JSON`() async throws {
        rig.server.serve("/in/a.txt", .text("{\"id\":77}\n", status: 201))
        rig.server.serve("/in/b%20c.txt", .text("no room", status: 507))
        let run = try await rig.run(["upload", "--json", "-j1", "--retries=0", "a.txt", "b c.txt", rig.url("/in/")])
        let lines = run.output.split(separator: "\n").map(String.init)
        let finish = try #require(lines.first { $0.contains("\"event\":\"finish\"") })
        #expect(finish.contains("\"body\":\"{\\\"id\\\":77}\\n\"") && finish.contains("\"bytes\":3,"))
        #expect(!finish.contains("\"size\""))
        let fail = try #require(lines.first { $0.contains("\"event\":\"fail\"") })
        #expect(fail.contains("\"body\":\"no room\"") && fail.contains("\"bytes\":6,"))
        #expect(lines.last?.contains("\"bytes\":9,") == true)
    }

    @Test func `shows the answer to a success when it is told`() async throws {
        rig.server.serve("/in/a.txt", .text("{\"id\":77}\n", status: 201))
        let run = try await rig.run(["upload", "-v", "a.txt", rig.url("/in/")])
        #expect(run.error.contains("< a.txt: {\"id\":77}\n= a.txt: 3 B in "))
        #expect(run.output.hasPrefix("1 file, 3 B in "))
    }

    @Test func `sends no two files to one URL`() async throws {
        try FileManager.default.createDirectory(at: rig.folder.file("sub"), withIntermediateDirectories: true)
        try rig.folder.write("two", to: "sub/a.txt")
        let run = try await rig.run(["upload", "a.txt", "sub/a.txt", rig.url("/in/")])
        #expect(run.exitCode == 64 && rig.server.counters.requests == 0)
        #expect(run.error.contains("would both go to"))
    }
}
