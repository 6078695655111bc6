import Foundation
import LoopbackHTTP
import TestSupport
import Testing

/// `upload --update`, `--keep` and `--tus`.
struct UploadConditionTests {
    private let rig: NetqueueRig

    init() throws {
        rig = try NetqueueRig()
        for name in ["same", "longer", "new"] { try rig.folder.write(name, to: name) }
        rig.server.serve("/in/*") { request in
            guard request.method == "HEAD" else { return .status(204) }
            return request.path == "/in/new"
                ? .status(404) : .text("four").header("Last-Modified", "Fri, 01 Jan 2100 00:00:00 GMT")
        }
        rig.server.serve("/in/new") { request in .status(request.method == "HEAD" ? 404 : 201) }
    }

    private func sent(_ run: NetqueueRun) -> [String] {
        rig.server.requests.filter { $0.method == "PUT" }.map {
            "\($0.path) \(String(decoding: $0.body, as: UTF8.self))"
        }
        .sorted()
    }

    @Test func `With --update, only files that the server lacks or has differently are sent`() async throws {
        let run = try await rig.run("upload", "--update", "same", "longer", "new", "/in/")
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(sent(run) == ["/in/longer longer", "/in/new new"])
        #expect(run.output.contains("1 already there"), "\(run.output)")
    }

    @Test func `With --keep, only files that the server lacks are sent`() async throws {
        let run = try await rig.run("upload", "--keep", "--json", "same", "longer", "new", "/in/")
        #expect(run.exitCode == 0 && sent(run) == ["/in/new new"])
        #expect(run.output.split(separator: "\n").count { $0.contains("\"current\":true") } == 2)
    }

    @Test(arguments: [[], ["--overwrite"]])
    func `Without a condition, every file is sent and no HEAD`(options: [String]) async throws {
        let run = try await rig.run(["upload"] + options + ["same", "longer", "new", rig.url("/in/")])
        #expect(run.exitCode == 0 && sent(run).count == 3 && rig.server.requests.count == 3)
    }

    @Test(arguments: [
        ["--update", "--keep", "same", "/in/"], ["--tus", "--keep", "same", "/in/"], ["--tus", "-", "/in/x"],
        ["--update", "--form", "a=@same", "/in/"], ["--rename", "same", "/in/"], ["--tus", "--form", "a=b", "/in/"],
    ])
    func `Options that contradict each other are rejected`(arguments: [String]) async throws {
        #expect(try await rig.run(["upload"] + arguments.map { $0.hasPrefix("/") ? rig.url($0) : $0 }).exitCode == 64)
        #expect(rig.server.requests.isEmpty)
    }

    @Test func `With --tus, each file is created at the URL and sent to its place`() async throws {
        let lengths = Gathering<String>()
        rig.server.serve("/files") { request in
            if request.method == "POST" { lengths.add(request.headers["Upload-Length"] ?? "") }
            return .status(
                201,
                headers: ["Location": "/files/\(request.headers["Upload-Length"] ?? "")", "Tus-Resumable": "1.0.0"])
        }
        rig.server.serve("/files/*") { request in
            .status(204, headers: ["Upload-Offset": "\(request.body.count)", "Tus-Resumable": "1.0.0"])
        }
        let run = try await rig.run(
            ["upload", "--tus", "same", "longer", rig.url("/files")],
            environment: ["XDG_STATE_HOME": rig.folder.file("state").path])
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(lengths.values.sorted() == ["4", "6"])
        let pieces = rig.server.requests.filter { $0.method == "PATCH" }
        #expect(pieces.map { String(decoding: $0.body, as: UTF8.self) }.sorted() == ["longer", "same"])
    }
}
