import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

/// File systems without `flock`: Lustre says ENOSYS, NFS without its lock service ENOLCK. Before, no download there
/// could be continued, and each left an empty part (issue 38, point 4).
struct PartLockTests {
    private let folder: TemporaryFolder
    private let names: PartNames
    private let sidecar: Sidecar

    init() throws {
        folder = try TemporaryFolder()
        names = try PartNames(folder.file("file"))
        sidecar = Sidecar(url: "http://host.test/file", validators: Validators(entityTag: "\"1\""), total: nil)
    }

    private static let codes = [ENOSYS, ENOLCK, ENOTSUP, EOPNOTSUPP, EINVAL]
    private static let files = ["file.nqk.part", "file.nqk.part.info"]
    private let lock = PartLock { _ in ENOLCK }

    /// A part as a download begins it.
    private func begin(_ text: String) throws -> PartFile {
        let part = try PartFile.make(names, lock: lock)
        #expect(try part.restart(as: sidecar))
        try append(text, to: part)
        return part
    }

    private func append(_ text: String, to part: PartFile) throws {
        try Data(text.utf8).withUnsafeBytes { try part.append($0) }
    }

    private func existing() throws -> PartFile? { try PartFile.existing(names, lock: lock) }

    private var hidden: [String] { folder.contents.filter { $0.hasPrefix(".") } }

    /// Makes the part look as if a killed process had left it so long ago.
    private func age(_ seconds: Int) throws { try touch(folder.file(Self.files[0]), at: time(nil) - seconds) }

    @Test(.enabled(if: SmallDisk.isAvailable, "only root may mount a small file system"))
    func `A part whose description finds no room cannot be continued, and keeps none`() throws {
        let disk = try SmallDisk(megabytes: 1)
        defer { disk.remove() }
        let part = try PartFile.make(PartNames(disk.folder.file("file")))
        defer { part.remove() }
        #expect(throws: (any Error).self) { try disk.folder.write(Data(count: 2 << 20), to: "filler") }
        #expect(!part.describe(sidecar))
        #expect(disk.folder.contents.filter { $0.contains(".info") } == [])
    }

    @Test(arguments: codes)
    func `A part without locks becomes the file or is thrown away, and leaves nothing else`(code: Int32) throws {
        let lock = PartLock { _ in code }
        let parts = try (0..<2).map { _ in try PartFile.make(names, lock: lock) }
        #expect(folder.contents.count == 2 && folder.contents.last == "file.nqk.part")
        try append("content", to: parts[0])
        #expect(try parts[0].publish(.fail) == FilePlace(path: names.destination))
        parts[1].remove()
        #expect(folder.contents == ["file"])
        #expect(try folder.read("file") == "content")
    }

    @Test
    func `A part that was left without locks is continued at once, by one download alone, and left again`() throws {
        try begin("01234").keep(sidecar)
        #expect(folder.contents == Self.files)
        let part = try #require(try existing())
        #expect(hidden.count == 2 && folder.contents == hidden)
        #expect(try Sidecar.read(part.info) == sidecar)
        #expect(try existing() == nil)
        #expect(part.length == 5 && part.canContinue(at: 5))
        try part.truncate(to: 5)
        try append("56789", to: part)
        part.keep(sidecar)
        #expect(folder.contents == Self.files)
        #expect(try folder.read(Self.files[0]) == "0123456789")
        #expect(try existing()?.length == 10)
    }

    @Test func `A part without locks that turns out to be of no use goes back and is begun anew`() throws {
        try begin("01234").keep(sidecar)
        do { _ = try existing() }
        #expect(folder.contents == Self.files)
        let part = try begin("new")
        #expect(try part.publish(.fail).path == names.destination)
        #expect(try folder.read("file") == "new" && folder.contents == ["file"])
    }

    @Test
    func `A young part without locks is left to its download, and another download has a part of its own`() throws {
        let first = try begin("first")
        #expect(try existing() == nil)
        let second = try begin("second")
        #expect(hidden.count == 2)
        #expect(try folder.read(Self.files[0]) == "first")
        // The name is taken as long as the first goes on.
        second.keep(sidecar)
        #expect(folder.contents == Self.files)
        let third = try begin("third")
        #expect(try first.publish(.fail).path == names.destination)
        third.keep(sidecar)
        #expect(folder.contents == ["file"] + Self.files)
        #expect(try folder.read(Self.files[0]) == "third")
    }

    @Test(arguments: [PartLock.idleTime - 20, PartLock.idleTime])
    func `A killed process's part without locks is taken when it has been untouched for two minutes`(age seconds: Int)
        throws
    {
        let killed = try begin("01234")
        try age(seconds)
        let part = try existing()
        #expect((part != nil) == (seconds == PartLock.idleTime))
        guard let part else { return withExtendedLifetime(killed) {} }
        // Its date says that it is in use.
        #expect(folder.contents == hidden)
        AbandonedParts.remove(in: folder.path + "/", lock: lock)
        #expect(folder.contents == hidden && hidden.count == 2)
        withExtendedLifetime(part) {}
    }

    @Test(arguments: ["append", "publish", "keep", "remove"])
    func `A part that another download has taken is not touched by the one that had it`(step: String) throws {
        let stopped = try begin("01234")
        try age(PartLock.idleTime)
        let part = try #require(try existing())
        switch step {
        case "append": #expect(posixCode { try append("more", to: stopped) } == .ENOENT)
        case "publish": #expect(posixCode { _ = try stopped.publish(.fail) } == .ENOENT)
        case "keep": stopped.keep(sidecar)
        default: stopped.remove()
        }
        part.keep(sidecar)
        #expect(folder.contents == Self.files)
        #expect(try folder.read(Self.files[0]) == "01234")
    }

    @Test func `A part that is locked belongs to another download, whatever its age`() throws {
        let first = try PartFile.make(names)
        #expect(try first.restart(as: sidecar))
        try append("01234", to: first)
        try age(10 * PartLock.idleTime)
        #expect(try PartFile.existing(names) == nil)
        #expect(folder.contents == Self.files)
    }
}
