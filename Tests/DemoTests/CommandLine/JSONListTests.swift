import Foundation
import LoopbackHTTP
import Testing

@Suite(.timeLimit(.minutes(10)))
struct JSONListTests {
    private let rig: NetqueueRig

    init() throws {
        rig = try NetqueueRig()
        for name in ["a", "b", "lists/c"] { rig.server.serve("/\(name)", .text(name)) }
    }

    /// An object with the URL of a path, and other keys.
    private func line(_ path: String, _ keys: String = "") -> String {
        #"{\#(keys.isEmpty ? "" : keys + ",")"url":"\#(rig.url(path))"}"#
    }

    @Test(arguments: [true, false])
    func `A list of JSON lines is downloaded, from a file and from standard input`(isFile: Bool) async throws {
        let list = "\n" + line("/a", #""out":"x/a","headers":{"X-Kind":"1"},"size":1"#) + "\n" + line("/b") + "\n"
        try rig.folder.write(list, to: "list")
        let run = try await rig.run(["-d", "in", "-i", isFile ? "list" : "-"], input: list)
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(try rig.folder.files() == ["in/b", "in/x/a", "list"])
        #expect(rig.server.requests.first { $0.path == "/a" }?.headers["X-Kind"] == "1")
    }

    @Test func `The form of standard input is that of its first lines, also after a pause`() async throws {
        let pipe = Pipe()
        let run = try await rig.run("-i", "-", inputPipe: pipe) { _ in
            try? pipe.fileHandleForWriting.write(contentsOf: Data("\n\(line("/a"))\n".utf8))
            #expect(await rig.server.wait { $0.requests == 2 })
            try? pipe.fileHandleForWriting.write(contentsOf: Data("\(rig.url("/b"))\n\(line("/b"))\n".utf8))
            try? pipe.fileHandleForWriting.close()
        }
        #expect(run.exitCode == 1 && run.error.contains("x standard input:3: the line is not a JSON object"))
        #expect(try rig.folder.files() == ["a", "b"])
    }

    @Test func `The list of --failed has JSON lines, and wrong lines as they are`() async throws {
        let wrong = [line("/a", #""size":-1"#), "[1]", rig.url("/a"), line("/b", #""out":"../b""#)]
        let missing = line("/none", #""headers":{"X-Kind":["1"]},"out":"x/none","stage":3"#)
        try rig.folder.write(([line("/b"), wrong[0], missing] + wrong[1...]).joined(separator: "\n"), to: "list")
        let run = try await rig.run("-q", "--retries=0", "-i", "list", "--failed", "again")
        #expect(run.exitCode == 1 && run.error.contains("x list:6: invalid field"))
        let expected = [wrong[0], wrong[3], missing, wrong[1], wrong[2]].map { $0 + "\n" }.joined()
        #expect(try rig.folder.read("again") == expected)
        #expect(rig.server.requests.last { $0.path == "/none" }?.headers["X-Kind"] == "1")
        // The same again, until it is corrected.
        _ = try await rig.run("-q", "--retries=0", "-i", "again", "--failed", "again")
        #expect(try rig.folder.read("again") == expected)
    }

    @Test func `Beside JSON lines, other URLs that fail become JSON lines, too`() async throws {
        try rig.folder.write(line("/none") + "\n", to: "list")
        try rig.folder.write("\(rig.url("/gone"))\tsize=3\nnonsense\n", to: "other")
        let run = try await rig.run(
            "-q", "--retries=0", "-i", "list", "-i", "other", "/lost", "--failed", "again")
        #expect(run.exitCode == 1)
        #expect(
            try rig.folder.read("again")
                == [line("/lost"), line("/none"), #"{"size":3,"url":"\#(rig.url("/gone"))"}"#, "nonsense"]
                .map { $0 + "\n" }.joined())
    }

    @Test func `A line of a text list that looks like JSON does not change the form of --failed`() async throws {
        try rig.folder.write("\(rig.url("/none"))\n{\"url\": 1}\n  out=lost\n", to: "list")
        _ = try await rig.run("-q", "--retries=0", "-i", "list", "--failed", "again")
        #expect(try rig.folder.read("again") == "\(rig.url("/none"))\n{\"url\": 1}\n  out=lost\n")
    }

    @Test func `JSON lines from a server have relative URLs, and the rules of such a list`() async throws {
        rig.server.serve(
            "/lists/list",
            .text(
                #"""
                {"url":"c"}
                {"url":"../none","mirrors":["/gone"]}
                {"url":"c","headers":{"cookie":["a=1"]}}
                {"url":"c","mirrors":["x"],"size":"1"}
                {"url":"../a","url":"b"}

                """#))
        let run = try await rig.run("-q", "--retries=0", "-i", "/lists/list", "--failed", "again")
        #expect(run.exitCode == 1 && run.error.contains("list:3: a list from a server may not set \"cookie\""))
        #expect(try rig.folder.read("c") == "lists/c")
        #expect(
            try rig.folder.read("again") == """
                {"headers":{"cookie":["a=1"]},"url":"\(rig.url("/lists/c"))"}
                {"mirrors":["\(rig.url("/lists/x"))"],"size":"1","url":"\(rig.url("/lists/c"))"}
                {"url":"../a","url":"b"}
                {"mirrors":["\(rig.url("/gone"))"],"url":"\(rig.url("/none"))"}

                """)
    }

    @Test func `A URL is in the same shard in both forms`() async throws {
        let paths = (0..<8).map { "/\($0)" }
        try rig.folder.write(paths.map { line($0) + "\n" }.joined(), to: "json")
        try rig.folder.write(paths.map { rig.url($0) + "\n" }.joined(), to: "text")
        let options = ["-q", "--no-sizing", "--retries=0", "--shard=1/2"]
        _ = try await rig.run(options + ["-i", "json"])
        let requests = Set(rig.server.requests.map(\.path))
        rig.server.forgetRequests()
        _ = try await rig.run(options + ["-i", "text"])
        #expect(Set(rig.server.requests.map(\.path)) == requests && !requests.isEmpty)
    }
}
