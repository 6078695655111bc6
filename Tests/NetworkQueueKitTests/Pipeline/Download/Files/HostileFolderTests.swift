import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

/// Folders that others write to as well: what they have put under the names of a download.
@Suite(.timeLimit(.minutes(10)))
struct HostileFolderTests {
    private static let part = "file.nqk.part"
    private static let info = "file.nqk.part.info"
    private static let draft = "file.nqk.part.info.new"

    private func owner(_ url: URL) -> uid_t? {
        var status = stat()
        return lstat(url.path(percentEncoded: false), &status) == 0 ? status.st_uid : nil
    }

    /// The files of unique names that downloads are working on.
    private func uniqueParts(_ rig: QueueRig<NetworkQueue>) -> [String] {
        rig.folder.contents.filter { $0.hasPrefix(".") && $0.hasSuffix(".nqk.part") }
    }

    @Test(arguments: OddFile.creatable.filter { $0 != .directory })
    func `An odd file under the draft's name is removed, never opened, and the part can be resumed`(_ odd: OddFile)
        async throws
    {
        let rig = QueueRig.started()
        try odd.make(at: rig.folder.file(Self.draft))
        await rig.interrupt(rig.request())
        if odd == .symbolicLink { #expect(try rig.folder.read("\(Self.draft).target") == OddFile.content) }
        #expect(rig.folder.contents.filter { !$0.hasSuffix(".target") } == QueueRig.partFiles())
        let (operation, exchange) = await rig.start(rig.request())
        #expect(exchange.exchange.headers["Range"] == "bytes=5-")
        operation.cancel()
        await rig.end(of: operation)
    }

    @Test func `A file that the draft's name is linked to stays as it is`() async throws {
        let rig = QueueRig.started()
        try rig.folder.write("precious", to: "victim")
        #expect(
            link(
                rig.folder.file("victim").path(percentEncoded: false),
                rig.folder.file(Self.draft).path(percentEncoded: false)) == 0)
        await rig.interrupt(rig.request())
        #expect(try rig.folder.read("victim") == "precious")
        #expect(rig.folder.contents == QueueRig.partFiles() + ["victim"])
    }

    @Test func `A draft's name that cannot be freed costs only the resumption`() async throws {
        let rig = QueueRig.started()
        try OddFile.directory.make(at: rig.folder.file(Self.draft))
        await rig.interrupt(rig.request())
        #expect(rig.folder.contents == [Self.draft])
        let operation = await rig.run(rig.request(), answers: [.ok("new")])
        #expect(operation.error == nil)
        #expect(try rig.folder.read("file") == "new")
    }

    @Test func `The sidecar is readable and writable by its owner alone`() async throws {
        let rig = QueueRig.started()
        await rig.interrupt(rig.request())
        var status = stat()
        #expect(lstat(rig.folder.file(Self.info).path(percentEncoded: false), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test(arguments: OddFile.creatable, [part, info])
    func `An odd part or sidecar stays as it is, and the download gets a unique name`(_ odd: OddFile, name: String)
        async throws
    {
        let rig = QueueRig.started()
        try odd.make(at: rig.folder.file(name))
        let before = rig.folder.contents
        let (operation, exchange) = await rig.start(rig.request())
        #expect(!exchange.exchange.headers.contains("Range"))
        // Of unknown length: a file that is known to be small has no part while it comes.
        exchange.receive(headers: ["ETag": "\"v1\""])
        exchange.receive(Data("n".utf8))
        #expect(uniqueParts(rig).count == 1)
        exchange.receive(Data("ew".utf8))
        exchange.end()
        await rig.end(of: operation)
        #expect(operation.error == nil, "\(operation.error?.description ?? "")")
        #expect(try rig.folder.read("file") == "new")
        #expect(owner(rig.folder.file("file")) == geteuid())
        #expect(odd.isIntact(at: rig.folder.file(name)))
        #expect(rig.folder.contents == (before + ["file"]).sorted())
        // Nor is anything left by one that fails.
        await rig.interrupt(rig.request(to: "file", onConflict: .overwrite))
        #expect(rig.folder.contents == (before + ["file"]).sorted())
    }

    @Test(
        .enabled(if: OddFile.creatable.contains(.foreignFile), "only root can give files to others"),
        arguments: [[part], [info], [part, info]])
    func `A part or a sidecar that belongs to another user is not believed`(_ names: [String]) async throws {
        let rig = QueueRig.started()
        await rig.interrupt(rig.request())
        for name in names {
            let path = rig.folder.file(name).path(percentEncoded: false)
            #expect(chown(path, 54_321, 54_321) == 0 && chmod(path, 0o666) == 0)
        }
        let (operation, exchange) = await rig.start(rig.request())
        #expect(!exchange.exchange.headers.contains("Range"))
        exchange.answer(.ok("new"))
        await rig.end(of: operation)
        #expect(operation.error == nil)
        #expect(try rig.folder.read("file") == "new")
        #expect(owner(rig.folder.file("file")) == geteuid())
        #expect(rig.folder.contents == ["file"] + QueueRig.partFiles())
        #expect(try rig.folder.read(Self.part) == "01234")
    }

    @Test func `A part that cannot be opened costs only the resumption`() async throws {
        let rig = QueueRig.started()
        // A program that runs cannot be written to (ETXTBSY), not even by root.
        let program = rig.folder.file(Self.part)
        try FileManager.default.copyItem(at: URL(filePath: "/bin/sleep"), to: program)
        let sleep = try SpawnedProgram(program.path(percentEncoded: false), ["600"])
        let operation = await rig.run(rig.request(), answers: [.ok("new")])
        kill(sleep.identifier, SIGKILL)
        sleep.waitUntilEnd()
        #expect(operation.error == nil, "\(operation.error?.description ?? "")")
        #expect(try rig.folder.read("file") == "new")
    }

    @Test(.enabled(if: OddFile.creatable.contains(.foreignFile), "only root can give files to others"))
    func `A part that is replaced during the download does not become the file`() async throws {
        let rig = QueueRig.started()
        let (operation, exchange) = await rig.start(rig.request())
        exchange.receive(headers: [:])
        exchange.receive(Data("new".utf8))
        let part = rig.folder.file(Self.part)
        #expect(unlink(part.path(percentEncoded: false)) == 0)
        try OddFile.foreignFile.make(at: part)
        exchange.end()
        await rig.end(of: operation)
        #expect(operation.error?.code == .fileSystem)
        #expect(rig.folder.contents == [Self.part])
        #expect(OddFile.foreignFile.isIntact(at: part))
    }

    /// Fails with a folder in place of the file.
    private struct ReplacingProcessor: ResponseProcessor {
        func process(_ response: Response, in context: AttemptContext) throws -> Response {
            guard let file = response.fileURL else { return response }
            try FileManager.default.removeItem(at: file)
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
            try Data("precious".utf8).write(to: file.appending(path: "victim"))
            throw CocoaError(.featureUnsupported)
        }
    }

    @Test
    func `A file that cannot be processed is removed, and a folder that has taken its place is not`() async throws {
        let rig = QueueRig.started()
        var request = rig.request()
        request.processors = [ReplacingProcessor()]
        let operation = await rig.run(request, answers: [.ok("new")])
        #expect(operation.error?.code == .processing)
        #expect(rig.folder.contents == ["file", "file/victim"])
    }

    // MARK: The destination

    @Test(arguments: OddFile.special, [false, true])
    func `.overwrite replaces files and symbolic links only, and otherwise fails before any content if it can`(
        _ odd: OddFile, appearsLate: Bool
    ) async throws {
        let rig = QueueRig.started()
        if !appearsLate { try odd.make(at: rig.folder.file("file")) }
        let (operation, exchange) = await rig.start(rig.request(onConflict: .overwrite))
        exchange.receive(headers: ["Content-Length": "3", "ETag": "\"v1\""])
        if appearsLate {
            exchange.receive(Data("new".utf8))
            try odd.make(at: rig.folder.file("file"))
            exchange.end()
        }
        await rig.end(of: operation)
        #expect(operation.error?.posixCode == (odd == .directory ? .EISDIR : .EEXIST))
        #expect(operation.error?.code == .fileSystem)
        #expect(odd.isIntact(at: rig.folder.file("file")) && rig.folder.contents == ["file"])
    }

    @Test(arguments: OddFile.creatable.filter { !OddFile.special.contains($0) })
    func `.overwrite replaces a file of another user and a symbolic link, not its target`(_ odd: OddFile) async throws {
        let rig = QueueRig.started()
        let file = rig.folder.file("file")
        try odd.make(at: file)
        let operation = await rig.run(rig.request(onConflict: .overwrite), answers: [.ok("new")])
        #expect(operation.error == nil)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path(percentEncoded: false))
        #expect(attributes[.type] as? FileAttributeType == .typeRegular && owner(file) == geteuid())
        if odd == .symbolicLink { #expect(try rig.folder.read("file.target") == OddFile.content) }
    }
}
