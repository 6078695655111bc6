import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

/// File systems that have not all of the calls by which a file gets its name.
struct FileMoveTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("new", to: "part")
    }

    private func path(_ name: String) -> String { folder.file(name).path(percentEncoded: false) }

    private func move(
        _ policy: Destination.ConflictPolicy, _ change: (inout FileMoveCalls) -> Void
    ) throws -> String {
        var calls = FileMoveCalls.system
        change(&calls)
        let place = try FileMove(calls: calls).move(
            path("part"), to: PartNames(folder.file("file")), onConflict: policy)
        return URL(filePath: place.path).lastPathComponent
    }

    /// A file system with neither exclusive renames nor hard links.
    private static func restrict(_ calls: inout FileMoveCalls) {
        calls.renameExclusively = { _, _ in ENOSYS }
        calls.link = { _, _ in EPERM }
    }

    @Test(arguments: OddName.joining)
    func `The number goes before the extension, whatever the name and the extension begin with`(text: String) throws {
        let name = "\(text).\(text)"
        try folder.write("old", to: name)
        let place = try FileMove().move(path("part"), to: PartNames(folder.file(name)), onConflict: .rename)
        #expect(place.path.equals(bytesOf: path("\(text)-2.\(text)")))
        #expect(try folder.read(name) == "old" && folder.contents.count == 2)
    }

    /// What a file system says that has no such call, or a rule of the system's that forbids it.
    private static let refusals = [EINVAL, ENOSYS, ENOTSUP, EPERM, EACCES]

    @Test(arguments: refusals, [nil] + refusals)
    func `The move makes a second name, or a file that it replaces, if there is no exclusive rename`(
        refusal: Int32, linkRefusal: Int32?
    ) throws {
        let name = try move(.fail) { calls in
            calls.renameExclusively = { _, _ in refusal }
            if let linkRefusal { calls.link = { _, _ in linkRefusal } } else { calls.rename = { _, _ in EIO } }
        }
        #expect(name == "file" && folder.contents == ["file"])
        #expect(try folder.read("file") == "new")
        var status = stat()
        #expect(lstat(path("file"), &status) == 0 && status.st_uid == geteuid() && status.st_nlink == 1)
    }

    /// A mount of rclone 1.60 says EINVAL to the rename and EIO to the link: each run fetched 30 of 30 files and threw
    /// them away.
    @Test(arguments: [EIO, EMLINK, ENOSPC])
    func `The move makes a nonempty file and replaces it, whatever error a second name fails with`(failure: Int32)
        throws
    {
        let name = try move(.fail) { calls in
            calls.renameExclusively = { _, _ in EINVAL }
            calls.link = { _, _ in failure }
            // rclone stores an empty one some time after it was closed, in place of what has replaced it.
            calls.rename = { path, target in
                POSIXFile.status(target)?.st_size == 1 ? FileMoveCalls.system.rename(path, target) : EIO
            }
        }
        #expect(name == "file" && folder.contents == ["file"])
        #expect(try folder.read("file") == "new")
    }

    @Test func `A number that a name was given is counted on, and one of its own is not`() throws {
        for (name, isNumbered, next) in [
            ("x-2", true, "x-3"), ("x-9.tar", true, "x-10.tar"), ("x-2", false, "x-2-2"), ("x-", true, "x--2"),
            ("-2.h", true, "-3.h"),
        ] {
            var names = try PartNames(folder.file(name))
            if isNumbered { names.isNumbered = true }
            let place = try FileMove.choosePlace(names, onConflict: .rename) { $0.hasSuffix("/\(name)") ? EEXIST : 0 }
            #expect(place == FilePlace(path: path(next)))
        }
    }

    @Test(arguments: [[], ["rename"], ["rename", "link"]])
    func `The move replaces nothing, whatever calls the file system lacks`(lacking: [String]) throws {
        func restrict(_ calls: inout FileMoveCalls) {
            if lacking.contains("rename") { calls.renameExclusively = { _, _ in EINVAL } }
            if lacking.contains("link") { calls.link = { _, _ in EPERM } }
        }
        try folder.write("old", to: "file")
        #expect(posixCode { _ = try move(.fail, restrict) } == .EEXIST)
        #expect(try folder.read("file") == "old" && folder.read("part") == "new")
        #expect(try move(.rename, restrict) == "file-2")
        #expect(try folder.read("file") == "old" && folder.read("file-2") == "new")
        #expect(folder.contents == ["file", "file-2"])
    }

    @Test(arguments: OddFile.creatable)
    func `The move replaces nothing odd either, whatever calls the file system lacks`(odd: OddFile) throws {
        try odd.make(at: folder.file("file"))
        for isPoor in [false, true] {
            #expect(posixCode { _ = try move(.fail) { if isPoor { Self.restrict(&$0) } } } == .EEXIST)
            #expect(odd.isIntact(at: folder.file("file")))
        }
    }

    @Test func `A rename that fails in the end leaves nothing under the name`() throws {
        let failure = posixCode {
            _ = try move(.fail) { calls in
                Self.restrict(&calls)
                calls.rename = { _, _ in EIO }
            }
        }
        #expect(failure == .EIO && folder.contents == ["part"])
    }

    @Test func `A file that takes the made file's place stays when the rename fails`() throws {
        let failure = posixCode {
            _ = try move(.fail) { calls in
                Self.restrict(&calls)
                calls.rename = { _, target in
                    unlink(target)
                    try? Data("late".utf8).write(to: URL(filePath: target))
                    return EIO
                }
            }
        }
        #expect(failure == .EIO)
        #expect(try folder.read("file") == "late")
    }

    @Test func `An error of the place is told at once`() throws {
        for error in [ENOSPC, EROFS, EIO, ENOENT] {
            let failure = posixCode {
                _ = try move(.rename) { calls in
                    calls.renameExclusively = { _, _ in error }
                    calls.link = { _, _ in 0 }
                }
            }
            #expect(failure?.rawValue == error)
        }
    }
}
