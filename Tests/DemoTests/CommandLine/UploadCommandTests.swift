import Foundation
import LoopbackHTTP
import TestSupport
import Testing

struct UploadCommandTests {
    private let rig: NetqueueRig

    init() throws {
        rig = try NetqueueRig()
        try rig.folder.write("one", to: "a.txt")
        try rig.folder.write("second", to: "b c.txt")
    }

    @Test func `Files are uploaded below a URL, each under its name`() async throws {
        for name in ["a.txt", "b%20c.txt"] { rig.server.serve("/in/\(name)", .status(201)) }
        let run = try await rig.run(["upload", "a.txt", "b c.txt", rig.url("/in/")])
        #expect(run.exitCode == 0)
        #expect(run.output.hasPrefix("2 files, 9 B in "))
        #expect(run.error.hasPrefix("Uploading 2 files\n"))
        #expect(Set(rig.server.requests.map { "\($0.method) \($0.path)" }) == ["PUT /in/a.txt", "PUT /in/b%20c.txt"])
        #expect(Set(rig.server.requests.map { String(decoding: $0.body, as: UTF8.self) }) == ["one", "second"])
    }

    @Test func `A single file is uploaded to exactly the URL`() async throws {
        rig.server.serve("/x", .status(204))
        let run = try await rig.run(["upload", "-q", "a.txt", rig.url("/x")])
        #expect(run.exitCode == 0 && rig.server.requests.map(\.path) == ["/x"])
        #expect(run.output.isEmpty && run.error.isEmpty)
    }

    @Test func `A dry run lists what would be sent where, and asks no server`() async throws {
        let run = try await rig.run(["upload", "-n", "a.txt", "b c.txt", rig.url("/in/")])
        #expect(run.exitCode == 0 && run.error.isEmpty && rig.server.counters.connections == 0)
        #expect(
            run.output == """
                       3 B  a.txt -> \(rig.url("/in/a.txt"))
                       6 B  b c.txt -> \(rig.url("/in/b%20c.txt"))
                       9 B  total of 2 files

                """)
        let input = try await rig.run(["upload", "--dry-run", "-", rig.url("/in")], input: "not read")
        #expect(input.exitCode == 0 && input.output.hasSuffix("0 B  total of 1 file, 1 of unknown size\n"))
        try rig.folder.write("missing\na.txt\n", to: "list")
        let json = try await rig.run(["upload", "-n", "--json", "-i", "list", rig.url("/in/")])
        let lines = try json.allJSONLines
        #expect(json.exitCode == 1 && lines.map(\.event) == ["fail", "check", "plan", "summary"])
        #expect(lines[1].name == "a.txt" && lines[1].size == 3 && lines[1].url == rig.url("/in/a.txt"))
        #expect(lines[1].state == nil && lines[1].file?.hasSuffix("/a.txt") == true)
        #expect(lines[2].plan == .init(count: 1, unknownSizes: 0, knownBytes: 3))
        #expect(lines[3].total == 2 && lines[3].finished == 1 && lines[3].failed == 1)
    }

    @Test func `The option --form posts a multipart form`() async throws {
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

    @Test func `An upload that is answered with 207 is a failure, and what is inside is shown`() async throws {
        rig.server.serve("/in/a.txt", .text("<status>HTTP/1.1 424 Failed Dependency</status>", status: 207))
        let run = try await rig.run(["upload", "--retries=0", "a.txt", rig.url("/in/")])
        #expect(run.exitCode == 1)
        #expect(run.error.contains("x a.txt: 207 ") && run.error.contains("424 Failed Dependency"))
    }

    @Test func `The body of an upload's error is shown as one line of at most 200 bytes`() async throws {
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

    @Test func `The JSON of an upload has the answer and the bytes of the file`() async throws {
        rig.server.serve("/in/a.txt", .text("{\"id\":77}\n", status: 201))
        rig.server.serve("/in/b%20c.txt", .text("no room", status: 507))
        let run = try await rig.run(["upload", "--json", "-j1", "--retries=0", "a.txt", "b c.txt", rig.url("/in/")])
        #expect(run.exitCode == 1)
        let lines = run.output.split(separator: "\n").map(String.init)
        let finish = try #require(lines.first { $0.contains("\"event\":\"finish\"") })
        #expect(finish.contains("\"body\":\"{\\\"id\\\":77}\\n\"") && finish.contains("\"bytes\":3,"))
        #expect(!finish.contains("\"size\""))
        let fail = try #require(lines.first { $0.contains("\"event\":\"fail\"") })
        #expect(fail.contains("\"body\":\"no room\"") && fail.contains("\"bytes\":6,"))
        #expect(lines.last?.contains("\"bytes\":9,") == true)
    }

    @Test func `The option -v shows the answer to a successful upload`() async throws {
        rig.server.serve("/in/a.txt", .text("{\"id\":77}\n", status: 201))
        let run = try await rig.run(["upload", "-v", "a.txt", rig.url("/in/")])
        #expect(run.error.contains("< a.txt: {\"id\":77}\n= a.txt: 3 B in "))
        #expect(run.output.hasPrefix("1 file, 3 B in "))
    }

    @Test func `Two files for one URL are a usage error`() async throws {
        try FileManager.default.createDirectory(at: rig.folder.file("sub"), withIntermediateDirectories: true)
        try rig.folder.write("two", to: "sub/a.txt")
        let run = try await rig.run(["upload", "a.txt", "sub/a.txt", rig.url("/in/")])
        #expect(run.exitCode == 64 && rig.server.counters.requests == 0)
        #expect(run.error.contains("would both be uploaded to"))
    }

    /// What was sent where, in the order of the paths.
    private var sent: [String] {
        rig.server.requests.map { "\($0.path) \(String(decoding: $0.body, as: UTF8.self))" }.sorted()
    }

    private func makeTree() throws {
        let manager = FileManager.default
        try manager.createDirectory(at: rig.folder.file("tree/sub"), withIntermediateDirectories: true)
        try rig.folder.write("1", to: "tree/one")
        try rig.folder.write("2", to: "tree/sub/.two #")
        try manager.createSymbolicLink(atPath: rig.folder.file("tree/link").path, withDestinationPath: "one")
    }

    @Test func `The option -r uploads a folder with everything in it`() async throws {
        try makeTree()
        let refused = try await rig.run(["upload", "tree", rig.url("/in/")])
        #expect(refused.exitCode == 64 && refused.error.contains("Is a directory; use -r to send a folder"))
        for (folder, prefix) in [("tree", "/in/tree"), ("tree/", "/in/tree"), ("tree/.", "/in")] {
            let rig = try NetqueueRig()
            for name in ["one", "link", "sub/.two%20%23"] { rig.server.serve("\(prefix)/\(name)", .status(201)) }
            let source = self.rig.folder.file(folder).path + (folder.hasSuffix("/.") ? "/." : "")
            let run = try await rig.run(["upload", "-r", source, rig.url("/in/")])
            #expect(run.exitCode == 0 && run.output.hasPrefix("3 files, 3 B in "), "\(folder): \(run.error)")
            let log = try await rig.run(["upload", "-v", "-r", source, rig.url("/in/")]).error
            let names = log.split(separator: "\n").filter { $0.hasPrefix("= ") }.map {
                $0.dropFirst(2).prefix { $0 != ":" }
            }
            let start = folder.hasSuffix("/.") ? "" : "tree/"
            #expect(names.sorted() == ["\(start)link", "\(start)one", "\(start)sub/.two #"])
        }
    }

    @Test func `Links to folders and pipes are reported, and the rest of a folder is uploaded`() async throws {
        try makeTree()
        try FileManager.default.createSymbolicLink(
            atPath: rig.folder.file("tree/sub/loop").path, withDestinationPath: "..")
        mkfifo(rig.folder.file("tree/pipe").path, 0o600)
        let run = try await rig.run(["upload", "-r", "tree", rig.url("/in/"), "--retries=0", "-q"])
        #expect(run.exitCode == 1 && rig.server.requests.count { $0.method == "PUT" } == 3)
        #expect(run.error.contains("x tree/sub/loop: is a link to a folder; links to folders are not followed\n"))
        #expect(run.error.contains("x tree/pipe: is not a regular file\n"))
        let log = try await rig.run(["upload", "-r", "tree", rig.url("/in/"), "--retries=0", "--json"])
        #expect(log.output.split(separator: "\n").count { $0.contains("\"error\":\"file\"") } == 2)
    }

    @Test func `A list of uploads names each file, and can name its target`() async throws {
        for name in ["a.txt", "new/b.txt"] { rig.server.serve("/in/\(name)", .status(201)) }
        let list = "# files\n\na.txt\nb c.txt\tout=new/b.txt\na.txt\nnone\nb c.txt\tsize=6\nb c.txt\tout=../b\n"
        let run = try await rig.run(["upload", "-i", "-", rig.url("/in/")], input: list)
        #expect(run.exitCode == 1 && sent == ["/in/a.txt one", "/in/new/b.txt second"])
        #expect(run.output.hasPrefix("2 of 5 files, 9 B in "))
        #expect(run.output.hasSuffix("3 failed: 2 x invalid list line, 1 x cannot be read\n"))
        #expect(run.error.contains("x standard input:6: \"none\" cannot be read: No such file or directory\n"))
        let reason = "invalid field \"out=../b\"; expected out= with a path below the URL"
        #expect(run.error.contains("x standard input:8: \(reason)\nUploading 5 files\n"))
        #expect(run.error.hasSuffix("\n2/5 files, 3 failed, 9 B\n"))
        try rig.folder.write("a.txt\n", to: "list")
        #expect(try await rig.run(["upload", "-q", "-i", "list", rig.url("/in/")]).exitCode == 0)
    }

    @Test func `An upload whose name is not UTF-8 fails for that reason`() async throws {
        try FileManager.default.createDirectory(at: rig.folder.file("tree"), withIntermediateDirectories: true)
        let run = try await rig.run(
            ["upload", "-q", "-r", "tree", rig.url("/in/")], shell: "echo >\"tree/$(printf 'bad\\377')\"; exec \"$@\"")
        #expect(run.exitCode == 1 && run.error == "x tree/bad%FF: cannot be sent: its name is not UTF-8\n")
        for list in ["list", "-"] {
            let listed = try await rig.run(
                ["upload", "-q", "-i", list, rig.url("/in/")],
                shell: "printf 'tree/bad\\377\\n' >list; exec \"$@\" <list")
            #expect(listed.exitCode == 1 && listed.error.hasSuffix(" cannot be sent: its name is not UTF-8\n"))
        }
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "only root may mount a small disk"))
    func `An upload from the standard input fails if that cannot be kept`() async throws {
        let disk = try SmallDisk(megabytes: 1)
        defer { disk.remove() }
        let run = try await rig.run(
            ["upload", "-", rig.url("/in/x")], input: String(repeating: "x", count: 2 << 20),
            environment: ["TMPDIR": disk.folder.path])
        #expect(run.exitCode == 1 && run.error.hasSuffix(": No space left on device\n"), "\(run.error)")
    }

    @Test func `An upload counts what it sends, whatever the answer is`() async throws {
        rig.server.serve("/form", ScriptedResponse.generated(size: 5000))
        rig.server.serve("/see", .status(303, headers: ["Location": "/thanks"]))
        rig.server.serve("/thanks", .text("thanks"))
        let form = try await rig.run(["upload", "--form", "file=@a.txt", rig.url("/form")])
        let sent = try #require(rig.server.requests.first?.body.count)
        #expect(form.error.hasSuffix("\n1/1 file, \(sent) B\n") && form.output.hasPrefix("1 file, \(sent) B in "))
        let see = try await rig.run(["upload", "a.txt", rig.url("/see")])
        #expect(see.error.hasSuffix("\n1/1 file, 3 B\n") && see.output.hasPrefix("1 file, 3 B in "))
    }

    @Test func `An empty list of uploads sends nothing, and says so`() async throws {
        let run = try await rig.run(["upload", "-i", "-", rig.url("/in/")], input: "# none\n")
        #expect(run.exitCode == 0 && run.output == "Nothing to upload: no files.\n")
    }

    @Test func `The standard input is uploaded again after a failure, and leaves no file`() async throws {
        let scratch = rig.folder.file("scratch")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        rig.server.serve("/in/x", sequence: [.status(503), .status(201)])
        let text = String(repeating: "content ", count: 50_000)
        let run = try await rig.run(
            ["upload", "--retry-delay=0", "-", rig.url("/in/x")], input: text, environment: ["TMPDIR": scratch.path])
        #expect(run.exitCode == 0 && run.output.hasPrefix("1 file, 781 KiB in "))
        #expect(rig.server.requests.map { String(decoding: $0.body, as: UTF8.self) == text } == [true, true])
        #expect(try rig.folder.files(in: "scratch").isEmpty)
    }
}
