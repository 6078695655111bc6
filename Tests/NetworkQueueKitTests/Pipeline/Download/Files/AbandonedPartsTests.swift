import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

/// Parts of unique names, which no later run looks for.
@Suite(.timeLimit(.minutes(10)))
struct AbandonedPartsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let suffixes = ["", ".info", ".info.new"]

    private func makeParts() throws -> String {
        let part = ".\(UUID().uuidString).nqk.part"
        for suffix in Self.suffixes { try folder.write("01234", to: part + suffix) }
        return part
    }

    private func remove(_ lock: PartLock = .system) { AbandonedParts.remove(in: folder.path + "/", lock: lock) }

    @Test func `Abandoned parts are told from those in use and from all other files`() throws {
        let names = try PartNames(folder.file("file"))
        let parts = try (0..<2).map { _ in try PartFile.make(names) }
        #expect(folder.contents.count == 2)
        let others = [".nqk.part", ".x.nqk.part", "\(UUID().uuidString).nqk.part", ".\(UUID().uuidString).part"]
        for name in others { try folder.write("mine", to: name) }
        symlink(
            folder.file(others[0]).path(percentEncoded: false),
            folder.file(".\(UUID().uuidString).nqk.part").path(percentEncoded: false))
        let before = folder.contents
        remove()
        #expect(folder.contents == before)
        withExtendedLifetime(parts) {}
    }

    /// Of the sidecars the age counts in any case: they have no lock.
    @Test(arguments: [true, false])
    func `Abandoned parts are known by their age if the file system has no locks`(isOld: Bool) throws {
        let part = try makeParts()
        let orphan = ".\(UUID().uuidString).nqk.part.info"
        try folder.write("01234", to: orphan)
        let age = PartLock.idleTime + (isOld ? 0 : -20)
        for name in [part, orphan] { try touch(folder.file(name), at: time(nil) - age) }
        remove(PartLock { _ in ENOLCK })
        #expect(folder.contents == (isOld ? [] : ([orphan] + Self.suffixes.map { part + $0 }).sorted()))
    }

    @Test
    func `Abandoned parts go with the first download into their folder, with their sidecars, even if the file is kept`()
        async throws
    {
        let rig = QueueRig.started()
        let part = ".\(UUID().uuidString).nqk.part"
        for suffix in Self.suffixes { try rig.folder.write("01234", to: part + suffix) }
        try rig.folder.write("there", to: "file")
        let operation = await rig.run(
            rig.request(onConflict: .keepIfCurrent(otherwise: .fail)),
            answers: [.status(304, [:])])
        #expect(try operation.result?.get().wasKept == true)
        #expect(await eventually { rig.folder.contents == ["file"] })
    }

    /// A process was killed while another one finished the same file.
    @Test(arguments: [true, false])
    func `A part beside a file that turns out to be current goes, unless a download is writing to it`(isInUse: Bool)
        async throws
    {
        let rig = QueueRig.started()
        await rig.interrupt(rig.request())
        try rig.folder.write("there", to: "file")
        let left = rig.folder.contents
        #expect(left == ["file", "file.nqk.part", "file.nqk.part.info"])
        let other = try isInUse ? PartFile.existing(PartNames(rig.folder.file("file"))) : nil
        let operation = await rig.run(
            rig.request(onConflict: .keepIfCurrent(otherwise: .fail)), answers: [.status(304)])
        #expect(try operation.result?.get().wasKept == true)
        #expect(rig.folder.contents == (isInUse ? left : ["file"]))
        withExtendedLifetime(other) {}
    }

    /// As a process leaves one that is killed between creating its part and the first byte.
    @Test(arguments: [[:], ["Content-Length": "0"]] as [HTTPHeaders])
    func `An empty part goes even if the request fails`(headers: HTTPHeaders) async throws {
        let rig = QueueRig.started()
        try rig.folder.write("", to: "file.nqk.part")
        let operation = await rig.run(rig.request(), answers: [.status(404, headers)])
        #expect(operation.error != nil && rig.folder.contents == [])
    }
}
