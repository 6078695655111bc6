import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.enabled(if: hasUnnamedFiles, "the file system of the temporary folder has no such files"))
struct UnnamedFileTests {
    private let folder: TemporaryFolder
    private let file: UnnamedFile

    init() throws {
        folder = try TemporaryFolder()
        file = try #require(UnnamedFile(in: folder.path))
    }

    private func store(_ text: String, modified: Date? = nil) -> Int32 {
        Data(text.utf8).withUnsafeBytes { file.store($0, modified: modified) }
    }

    private func path(_ name: String) -> String { folder.file(name).path(percentEncoded: false) }

    @Test func `An unnamed file appears in the folder only with its name, all its content and its date`() throws {
        let date = Date(timeIntervalSince1970: 784_111_777)
        #expect(store("content", modified: date) == 0)
        #expect(folder.contents == [])
        #expect(file.link(to: path("a")) == 0)
        #expect(try folder.read("a") == "content")
        let values = try folder.file("a").resourceValues(forKeys: [.contentModificationDateKey])
        #expect(values.contentModificationDate == date)
        #expect(folder.contents == ["a"])
    }

    @Test func `An unnamed file may be empty, and without a date has the time of its making`() throws {
        let start = Date.now
        #expect(store("") == 0 && file.link(to: path("a")) == 0)
        let values = try folder.file("a").resourceValues(forKeys: [.contentModificationDateKey, .fileSizeKey])
        #expect(values.fileSize == 0)
        // File systems have a coarser clock.
        #expect(try #require(values.contentModificationDate) > start.addingTimeInterval(-60))
    }

    @Test func `An unnamed file replaces nothing that has its name, and can get another`() throws {
        try folder.write("mine", to: "a")
        try FileManager.default.createDirectory(at: folder.file("b"), withIntermediateDirectories: false)
        symlink("nowhere", path("c"))
        #expect(store("content") == 0)
        for name in ["a", "b", "c"] { #expect(file.link(to: path(name)) == EEXIST, "\(name)") }
        #expect(try folder.read("a") == "mine")
        #expect(file.link(to: path("d")) == 0)
        #expect(try folder.read("d") == "content")
    }

    @Test func `An unnamed file gets no name in a folder that is missing`() {
        #expect(store("content") == 0)
        #expect(file.link(to: path("none/a")) == ENOENT)
        #expect(UnnamedFile(in: path("none")) == nil)
    }

    @Test func `An unnamed file leaves nothing if it never gets a name`() throws {
        do {
            let other = try #require(UnnamedFile(in: folder.path))
            #expect(Data("content".utf8).withUnsafeBytes { other.store($0, modified: nil) } == 0)
        }
        #expect(folder.contents == [])
    }

    @Test func `An unnamed file has the permissions that the process's mask allows`() throws {
        #expect(store("content") == 0 && file.link(to: path("a")) == 0)
        try folder.write("like any other", to: "b")
        let modes = try ["a", "b"].map {
            try FileManager.default.attributesOfItem(atPath: path($0))[.posixPermissions] as? Int
        }
        #expect(modes[0] != nil && modes[0] == modes[1])
    }
}

private let hasUnnamedFiles =
    UnnamedFile(in: FileManager.default.temporaryDirectory.path(percentEncoded: false)) != nil
