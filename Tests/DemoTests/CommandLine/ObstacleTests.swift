import Foundation
import LoopbackHTTP
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ObstacleTests {
    private let rig: NetqueueRig

    init() throws { rig = try NetqueueRig() }

    @Test func `A folder that cannot be created is reported with the system's reason`() async throws {
        try rig.folder.write("", to: "taken")
        let run = try await rig.run("-d", "taken/out", "/a")
        #expect(run.exitCode == 1 && rig.server.counters.requests == 0)
        #expect(run.error == "netqueue: the folder \"taken/out\" cannot be created: Not a directory\n")
    }

    @Test(arguments: [("missing.txt", "No such file or directory"), ("folder", "Is a directory")])
    func `A list that cannot be read is reported with the system's reason`(name: String, reason: String) async throws {
        try FileManager.default.createDirectory(at: rig.folder.file("folder"), withIntermediateDirectories: false)
        let run = try await rig.run("-i", name)
        #expect(run.exitCode == 64)
        #expect(run.error.hasPrefix("netqueue: the list \"\(name)\" cannot be read: \(reason)\n"))
    }

    @Test func `A file that cannot be written fails alone, with the system's reason`() async throws {
        rig.server.serve("/a/file", .text("a"))
        rig.server.serve("/b/file", .text("b"))
        try rig.folder.write("in the way", to: "a")
        let run = try await rig.run("-q", "--no-sizing", "--strip=1", "/a/file", "/b/file")
        #expect(run.exitCode == 1)
        #expect(run.error == "x a/file: cannot be written: Not a directory\n")
        #expect(try rig.folder.read("b/file") == "b")
    }
}
