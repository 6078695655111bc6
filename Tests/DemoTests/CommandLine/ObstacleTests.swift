import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ObstacleTests {
    @Test func `A folder that cannot be created is reported with the system's reason`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "taken")
        let run = try await NetqueueRun.run(["-d", "taken/out", "http://127.0.0.1:1/a"], in: folder)
        #expect(run.exitCode == 1)
        #expect(run.error == "netqueue: the folder \"taken/out\" cannot be created: Not a directory\n")
    }

    @Test(arguments: [("missing.txt", "No such file or directory"), ("folder", "Is a directory")])
    func `A list that cannot be read is reported with the system's reason`(name: String, reason: String) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.file("folder"), withIntermediateDirectories: false)
        let run = try await NetqueueRun.run(["-i", name], in: folder)
        #expect(run.exitCode == 64)
        #expect(run.error.hasPrefix("netqueue: the list \"\(name)\" cannot be read: \(reason)\n"))
    }

    @Test func `A file that cannot be written fails alone, with the system's reason`() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer()
        defer { server.stop() }
        server.serve("/a/file", .text("a"))
        server.serve("/b/file", .text("b"))
        try folder.write("in the way", to: "a")
        let urls = ["/a/file", "/b/file"].map { server.url($0).absoluteString }
        let run = try await NetqueueRun.run(["-q", "--no-sizing", "--strip=1"] + urls, in: folder)
        #expect(run.exitCode == 1)
        #expect(run.error == "x a/file: cannot be written: Not a directory\n")
        #expect(try folder.read("b/file") == "b")
    }
}
