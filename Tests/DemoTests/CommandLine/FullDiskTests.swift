import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .enabled(if: SmallDisk.isAvailable, "only root may mount a small disk"))
struct FullDiskTests {
    @Test(arguments: [false, true])
    func `A full disk ends the batch with one line, and a later run continues its parts`(isLive: Bool) async throws {
        let disk = try SmallDisk(megabytes: 1)
        defer { disk.remove() }
        let rig = try NetqueueRig(in: disk.folder)
        rig.server.serve("/large", ScriptedResponse.generated(size: 3 << 20).acceptingRanges(etag: "\"1\""))
        for number in 0..<29 { rig.server.serve("/\(number)", .text("small")) }
        let urls = (["large"] + (0..<29).map(String.init)).map { rig.url("/\($0)") }
        let arguments = ["--no-sizing", "-j1", "-dout"] + (isLive ? ["--progress=always"] : []) + urls

        let run = try await rig.run(arguments)
        #expect(run.exitCode == 1)
        let place = disk.folder.url.resolvingSymlinksInPath().appending(path: "out").path(percentEncoded: false)
        let told =
            "netqueue: the disk is full: \(place) (partial downloads are kept; free up space and run the same command again)"
        var screen = VirtualTerminal(columns: 400)
        screen.feed(run.error)
        #expect(screen.lines.filter { $0.contains("full") } == [told])
        #expect(!screen.lines.contains { $0.hasPrefix("x ") })
        #expect(run.output.hasPrefix("Stopped: 0 of 30 files, ") && !run.output.contains(", 0 B in "))
        #expect(run.output.contains("\nKept 1 partial download with "))
        // A few may have begun by the time that the first one's end is told of.
        #expect(rig.server.counters.requests < 30)
        #expect(try disk.folder.files(in: "out") == ["large.nqk.part", "large.nqk.part.info"])

        let sized = try await rig.run(["-dout", "-j1", urls[0]])
        #expect(sized.exitCode == 1)
        #expect(
            sized.error.contains("netqueue: not enough disk space: the files need ")
                && sized.error.contains(", and \(place) has "))

        try disk.grow(megabytes: 8)
        let second = try await rig.run(arguments)
        #expect(second.exitCode == 0)
        #expect(rig.server.requests.contains { $0.path == "/large" && $0.headers["Range"] != nil })
        #expect(try disk.folder.files(in: "out").count == 30)
    }

    @Test func `A --failed list that has no room leaves the list that it would replace`() async throws {
        let disk = try SmallDisk(megabytes: 1)
        defer { disk.remove() }
        let rig = try NetqueueRig(in: disk.folder)
        // Percent-encoded, the lines are longer.
        let list = (0..<1000).map { rig.url("/\($0)-") + "ééééééé\n" }.joined()
        try disk.folder.write(list, to: "again")
        var filler = Data(count: 1 << 16)
        let file = disk.folder.file("filler")
        try disk.folder.write("", to: "filler")
        let handle = try FileHandle(forWritingTo: file)
        while !filler.isEmpty {
            do { try handle.write(contentsOf: filler) } catch { filler.removeLast((filler.count + 1) / 2) }
        }
        try handle.close()
        let run = try await rig.run(
            ["-q", "--no-sizing", "--retries=0", "-i", "again", "--failed", "again"])
        #expect(run.exitCode == 1 && run.error.contains("cannot be written: No space left on device"))
        #expect(try disk.folder.read("again") == list)
        #expect(disk.folder.contents == ["again", "filler"])
    }

    @Test func `A batch that does not fit on the disk says so before its first file has come`() async throws {
        let disk = try SmallDisk(megabytes: 1)
        defer { disk.remove() }
        let rig = try NetqueueRig(in: disk.folder)
        let gate = Gate()
        for name in ["a", "b"] {
            let response = ScriptedResponse.generated(size: 700_000).acceptingRanges(etag: "\"1\"")
            rig.server.serve("/\(name)") { $0.method == "HEAD" ? response : response.gated(by: gate) }
        }
        let place = disk.folder.url.resolvingSymlinksInPath().appending(path: "out").path(percentEncoded: false)
        let told = "netqueue: not enough disk space: the files need 1.3 MiB, and \(place) has 1.0 MiB free"
        let urls = ["/a", "/b"].map(rig.url)
        rig.server.serve("/small", ScriptedResponse.generated(size: 700_000))
        let one = try PseudoTerminal(columns: 400)
        let fits = try await rig.run(
            ["-dout", rig.url("/small")], terminal: one)
        #expect(fits.exitCode == 0 && !fits.error.contains("the files need"))
        try FileManager.default.removeItem(at: disk.folder.file("out/small"))

        let terminal = try PseudoTerminal(columns: 400)
        _ = try await rig.run(["-dout", "--timeout=900"] + urls, terminal: terminal) { _ in
            // Or a few frames later, in which the servers' silence is counted.
            await terminal.wait { $0.contains(told) || $0.components(separatedBy: "stalled for").count > 20 }
            #expect(terminal.screen.lines.first == told)
            gate.open()
        }
    }
}
