import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(
    "A file without a name",
    .enabled(if: hasUnnamedFiles, "the file system of the temporary folder has no such files"))
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

    @Test func `is not in the folder before it has a name, and then with all its content and its date`() throws {
        let date = Date(timeIntervalSince1970: 784_111_777)
        #expect(store("content", modified: date) == 0)
        #expect(folder.contents == [])
        #expect(file.link(to: path("a")) == 0)
        #expect(try folder.read("a") == "content")
        let values = try folder.file("a").resourceValues(forKeys: [.contentModificationDateKey])
        #expect(values.contentModificationDate == date)
        #expect(folder.contents == ["a"])
    }

    @Test func `may be empty, and has the time of its making without a date`() throws {
        let start = Date.now
        #expect(store("") == 0 && file.link(to: path("a")) == 0)
        let values = try folder.file("a").resourceValues(forKeys: [.contentModificationDateKey, .fileSizeKey])
        #expect(values.fileSize == 0)
        // File systems have a coarser clock.
        #expect(try #require(values.contentModificationDate) > start.addingTimeInterval(-60))
    }

    @Test func `replaces nothing that has the name, and can have another`() throws {
        try folder.write("mine", to: "a")
        try FileManager.default.createDirectory(at: folder.file("b"), withIntermediateDirectories: false)
        symlink("nowhere", path("c"))
        #expect(store("content") == 0)
        for name in ["a", "b", "c"] { #expect(file.link(to: path(name)) == EEXIST, "\(name)") }
        #expect(try folder.read("a") == "mine")
        #expect(file.link(to: path("d")) == 0)
        #expect(try folder.read("d") == "content")
    }

    @Test func `has no name in a folder that is not there`() {
        #expect(store("content") == 0)
        #expect(file.link(to: path("none/a")) == ENOENT)
        #expect(UnnamedFile(in: path("none")) == nil)
    }

    @Test func `leaves nothing where it never gets one`() throws {
        do {
            let other = try #require(UnnamedFile(in: folder.path))
            #expect(Data("content".utf8).withUnsafeBytes { other.store($0, modified: nil) } == 0)
        }
        #expect(folder.contents == [])
    }

    @Test func `may be read and written by those whom the process's mask lets`() throws {
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
