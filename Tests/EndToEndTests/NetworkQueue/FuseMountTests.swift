import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// File systems that lack calls which others have, as they are: bindfs 1.14 (FUSE 2) and rclone 1.60. Found by trying
/// netqueue on eighteen file systems (issue 38, point 9).
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(
        if: FuseMount.Kind.allCases.contains(where: \.isAvailable),
        "neither bindfs nor rclone can mount a folder here (both need fusermount and /dev/fuse)"))
struct FuseMountTests {
    private static let size: Int64 = 300_000
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    /// Under load, beside tests that start programs, rclone has answered `EBADF` to writes, perhaps because a started
    /// program closes its copy of a descriptor. So it is tried where nothing else runs, as `.ci/run` says with
    /// `NQK_RCLONE`.
    private static let kinds = FuseMount.Kind.allCases.filter {
        $0.isAvailable && ($0 != .rclone || ProcessInfo.processInfo.environment["NQK_RCLONE"] != nil)
    }

    private func rig() throws -> LiveRig<NetworkQueue> {
        let rig = try LiveRig(.default)
        rig.server.serve("/large", .generated(size: Self.size).acceptingRanges(lastModified: Self.date))
        rig.server.serve("/small", .text("small").acceptingRanges(lastModified: Self.date))
        return rig
    }

    /// rclone ended every one with EIO, and bindfs lost its date, so that the next run found another file.
    @Test(arguments: kinds)
    func `Downloads to a FUSE mount have their content, name and date, and are kept the next time`(kind: FuseMount.Kind)
        async throws
    {
        let rig = try rig()
        let mount = try FuseMount(kind)
        defer { mount.remove() }
        for count in [1, 2] {
            for name in ["large", "small"] {
                let operation = await rig.get(
                    "/\(name)", to: .file(mount.folder.file(name), onConflict: .keepIfCurrent(otherwise: .fail)))
                #expect(operation.error == nil, "\(operation.error?.description ?? "")")
                #expect(operation.responseHead?.statusCode == (count == 1 ? 200 : 304))
                let values = try mount.folder.file(name).resourceValues(forKeys: [.contentModificationDateKey])
                #expect(values.contentModificationDate == Date(timeIntervalSince1970: 784_111_777))
            }
        }
        #expect(try GeneratedContent(size: Self.size).matches(contentsOf: mount.folder.file("large")))
        #expect(try mount.folder.read("small") == "small" && mount.folder.files() == ["large", "small"])
    }

    @Test(arguments: kinds)
    func `Downloads to a FUSE mount get numbers if names are taken, and replace nothing`(kind: FuseMount.Kind)
        async throws
    {
        let rig = try rig()
        let mount = try FuseMount(kind)
        defer { mount.remove() }
        for name in ["large", "small"] {
            try mount.folder.write("mine", to: name)
            let operation = await rig.get("/\(name)", to: .file(mount.folder.file(name), onConflict: .rename))
            #expect(operation.fileURL == mount.folder.file("\(name)-2"))
            #expect(try mount.folder.read(name) == "mine")
        }
        #expect(try mount.folder.read("small-2") == "small")
        #expect(try GeneratedContent(size: Self.size).matches(contentsOf: mount.folder.file("large-2")))
    }

    /// Without a cache rclone answers EPERM and ESPIPE to what would be written behind a part: the download failed at
    /// every run.
    @Test(arguments: kinds)
    func `Downloads to a FUSE mount continue a part, or begin anew if it cannot be written to`(kind: FuseMount.Kind)
        async throws
    {
        let rig = try rig()
        let mount = try FuseMount(kind)
        defer { mount.remove() }
        let whole = ScriptedResponse.generated(size: Self.size).acceptingRanges(etag: "\"1\"")
        rig.server.serve("/a", whole.dropping(after: 200_000))
        #expect(await rig.get("/a", to: .file(mount.folder.file("a"))).status == .failed)
        #expect(try mount.folder.files() == ["a.nqk.part", "a.nqk.part.info"])
        rig.server.serve("/a", whole)
        let operation = await rig.get("/a", to: .file(mount.folder.file("a")))
        #expect(operation.error == nil, "\(operation.error?.description ?? "")")
        #expect(rig.server.requests.last?.headers["Range"] == (kind == .rclone ? nil : "bytes=200000-"))
        #expect(try GeneratedContent(size: Self.size).matches(contentsOf: mount.folder.file("a")))
        #expect(try mount.folder.files() == ["a"])
    }

    /// Not on rclone, which stores what was open in its own time, so that a removed part may come back.
    @Test(arguments: kinds.filter { $0 != .rclone })
    func `Downloads to a FUSE mount leave nothing when they fail for good`(kind: FuseMount.Kind) async throws {
        let rig = try rig()
        let mount = try FuseMount(kind)
        defer { mount.remove() }
        var request = NetworkRequest(rig.server.url("/large"))
        request.destination = .file(mount.folder.file("large"))
        request.expectedChecksum = .md5(String(repeating: "0", count: 32))
        #expect(await rig.run(request).status == .failed)
        #expect(try mount.folder.files() == [])
    }
}
