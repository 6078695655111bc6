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
                && sized.error.contains(", and \(place) has 0 B free; use --no-space-check to download anyway\n"))

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

    @Test func `What does not fit on the disk is refused before the first byte`() async throws {
        let disk = try SmallDisk(megabytes: 8)
        defer { disk.remove() }
        let rig = try NetqueueRig(in: disk.folder)
        // So slow that hardly a byte is written between two looks at the disk.
        let file = ScriptedResponse.generated(size: 5_000_000).paced(bytesPerSecond: 5_000_000)
        for name in ["a", "b"] { rig.server.serve("/\(name)", file.acceptingRanges(etag: "\"1\"")) }
        rig.server.serve("/c", ScriptedResponse.text("of unknown size").chunked())
        let place = disk.folder.url.resolvingSymlinksInPath().appending(path: "out").path(percentEncoded: false)
        let refused =
            "netqueue: not enough disk space: the files need 9.5 MiB, and \(place) has 8.0 MiB free"
            + "; use --no-space-check to download anyway"
        let urls = ["/a", "/b", "/c"].map(rig.url)

        let run = try await rig.run(["-dout"] + urls)
        #expect(run.exitCode == 1 && run.output.hasSuffix("\n3 failed: 3 x not enough disk space\n"))
        #expect(run.error.split(separator: "\n").filter { $0.contains("space") } == [refused[...]])
        #expect(!run.error.contains("x a"))
        #expect(rig.server.requests.allSatisfy { $0.method == "HEAD" } && disk.folder.contents == [])

        let dry = try await rig.run(["-n", "-dout"] + urls)
        #expect(dry.exitCode == 1 && dry.error.contains(refused.replacing("/out has", with: " has") + "\n"))
        #expect(dry.output.contains("Space: 9.5 MiB needed, 8.0 MiB free in "))
        #expect(try await rig.run(["-n", "--no-space-check", "-dout"] + urls).exitCode == 0)
        #expect(disk.folder.contents == [])

        let anyway = try await rig.run(["--no-space-check", "--overwrite", "-dout"] + urls.prefix(2))
        // By now, some bytes may have been written.
        #expect(anyway.exitCode == 1 && anyway.error.contains("netqueue: not enough disk space: the files need "))
        #expect(!anyway.error.contains("--no-space-check"))
        #expect(anyway.error.contains("netqueue: the disk is full: "))
        #expect(try disk.folder.files(in: "out").contains { $0.hasPrefix("a") })
        try FileManager.default.removeItem(at: disk.folder.file("out"))
        let one = try await rig.run(["-dout", urls[0], urls[2]])
        #expect(one.exitCode == 0 && !one.error.contains("the files need"))
    }

    @Test func `What a part holds needs no space`() async throws {
        let disk = try SmallDisk(megabytes: 8)
        defer { disk.remove() }
        let rig = try NetqueueRig(in: disk.folder)
        let whole = ScriptedResponse.generated(size: 6_000_000).acceptingRanges(etag: "\"1\"")
        rig.server.serve("/a") { $0.method == "HEAD" ? whole : whole.dropping(after: 4_000_000) }
        #expect(try await rig.run("--retries=0", "/a").exitCode == 1)
        rig.server.serve("/a", whole)
        #expect(try await rig.run("/a").exitCode == 0)
    }
}
