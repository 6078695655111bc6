import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct MirrorCommandTests {
    private let rig: NetqueueRig
    private let mirror: LoopbackServer

    init() throws {
        rig = try NetqueueRig()
        mirror = try LoopbackServer()
        mirror.serve("/b", .text("content"))
    }

    private var list: String { "\(rig.url("/a"))\tmirror=\(mirror.url("/b").absoluteString)\n" }

    @Test func `A file comes from its mirror, and JSON tells from which`() async throws {
        try rig.folder.write(list, to: "list")
        let run = try await rig.run(["--json", "-i", "list", "-d", "out"])
        #expect(run.exitCode == 0)
        let lines = try run.jsonLines
        #expect(lines.map(\.event) == ["start", "retry", "finish", "summary"])
        let at = mirror.url("/b").absoluteString
        #expect(lines.map(\.mirror) == [nil, nil, at, nil])
        #expect(lines.compactMap(\.url) == Array(repeating: rig.url("/a"), count: 3))
        #expect(lines.last?.finished == 1)
        #expect(try rig.folder.read("out/a") == "content")
    }

    @Test func `A line tells which mirror is tried, and the verbose log which has served`() async throws {
        try rig.folder.write(list, to: "list")
        let run = try await rig.run(["-v", "--no-sizing", "-i", "list"])
        #expect(run.exitCode == 0)
        #expect(run.error.contains("a: 404 Not Found; trying 127.0.0.1:\(mirror.port)\n"), "\(run.error)")
        #expect(run.error.contains(" from \(mirror.url("/b").absoluteString)\n"), "\(run.error)")
    }

    @Test func `A line tells the URL of a mirror at the same server, and no place twice`() async throws {
        let closed = try ClosedPort()
        let first = try closed.url("/a").absoluteString
        let text = "\(first)\tmirror=\(mirror.url("/c").absoluteString)\tmirror=\(mirror.url("/d").absoluteString)\n"
        try rig.folder.write(text, to: "list")
        let run = try await rig.run(["--no-sizing", "--retries", "0", "-i", "list"])
        let place = "127.0.0.1:\(closed.port)"
        let refused = "could not connect to \(place): connection refused"
        #expect(run.error.contains("a: \(refused); trying 127.0.0.1:\(mirror.port)\n"), "\(run.error)")
        #expect(run.error.contains("a: 404 Not Found; trying \(mirror.url("/d").absoluteString)\n"), "\(run.error)")
        #expect(
            run.error.contains("x a: 404 Not Found at 127.0.0.1:\(mirror.port); before that \(refused)\n"),
            "\(run.error)")
    }

    @Test func `When all have failed the line tells of the last and of the first`() async throws {
        mirror.serve("/b", .status(410))
        try rig.folder.write(list, to: "list")
        let run = try await rig.run(["-q", "--no-sizing", "--failed", "again", "-i", "list"])
        #expect(run.exitCode == 1)
        #expect(
            run.error
                == "x a: 410 Gone at 127.0.0.1:\(mirror.port); before that 404 Not Found at 127.0.0.1:\(rig.server.port)\n"
        )
        #expect(try rig.folder.read("again") == list)
    }
}
