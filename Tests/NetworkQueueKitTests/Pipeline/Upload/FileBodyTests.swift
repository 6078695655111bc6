import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

struct FileBodyTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = try folder.write(Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }), to: "file.bin")
    }

    @Test func `A body that is no regular file fails with the reason`() throws {
        #expect(posixCode { _ = try BodyFile(folder.file("missing")) } == .ENOENT)
        #expect(posixCode { _ = try BodyFile(folder.url) } == .EISDIR)
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe.path(percentEncoded: false), 0o600) == 0)
        #expect(posixCode { _ = try BodyFile(pipe) } == .ESPIPE)
        #expect(throws: CocoaError.self) { _ = try BodyFile(.test("a")) }
        for url in [folder.file("missing"), folder.url, pipe, .test("a")] {
            #expect(BodyFile.currentLength(of: url) == nil)
        }
        #expect(BodyFile.currentLength(of: file) == 100_000)
    }

    @Test(.disabled(if: getuid() == 0, "root may read everything"))
    func `A file that must not be read says so`() throws {
        #expect(chmod(file.path(percentEncoded: false), 0) == 0)
        #expect(posixCode { _ = try BodyFile(file) } == .EACCES)
    }

    @Test func `A piece of a body ends with its range`() throws {
        let piece = PieceBody(whole: FileBody(try BodyFile(file)), range: 10..<20)
        let content = try Data(contentsOf: file)[10..<20]
        #expect(try piece.bytes(at: 0, chunk: 100, limit: 100) == content)
        #expect(try piece.bytes(at: 4, chunk: 100, limit: 100) == content.dropFirst(4))
    }

    enum Change: CaseIterable {
        case grown, shrunk, rewritten, replaced, removed
    }

    private func make(_ change: Change) throws {
        let handle = try FileHandle(forUpdating: file)
        defer { try? handle.close() }
        switch change {
        case .grown:
            try handle.seekToEnd()
            try handle.write(contentsOf: Data([1]))
        case .shrunk: try handle.truncate(atOffset: 50_000)
        case .rewritten: try touch(file, at: 1_000_000)
        case .replaced:
            let copy = try folder.write(try Data(contentsOf: file), to: "copy")
            try touch(copy, as: file)
            #expect(rename(copy.path(percentEncoded: false), file.path(percentEncoded: false)) == 0)
        case .removed: try FileManager.default.removeItem(at: file)
        }
    }

    @Test(arguments: Change.allCases)
    func `A file that has changed before it is opened is not sent`(change: Change) throws {
        let body = FileBody(try BodyFile(file))
        try make(change)
        #expect(throws: (any Error).self) { try body.bytes(at: 0, chunk: 10, limit: 10) }
        #expect(openDescriptors(of: file) == 0)
    }

    @Test(arguments: [Change.grown, .shrunk, .rewritten])
    func `A file that changes while it is read is not sent to its end`(change: Change) throws {
        let body = FileBody(try BodyFile(file))
        #expect(try body.bytes(at: 0, chunk: 10, limit: 10).count == 10)
        try make(change)
        let error = #expect(throws: CocoaError.self) { try body.allBytes(chunk: 4096) }
        #expect(error?.localizedDescription.contains("file.bin") == true)
    }

    @Test(arguments: [Change.replaced, .removed])
    func `A file whose name goes to another while it is read is sent as it was`(change: Change) throws {
        let whole = try Data(contentsOf: file)
        let body = FileBody(try BodyFile(file))
        #expect(try body.bytes(at: 0, chunk: 10, limit: 10).count == 10)
        try make(change)
        #expect(try body.allBytes(chunk: 4096) == whole)
    }
}
