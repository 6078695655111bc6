import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct FileDestinationTests {
    @Test(arguments: TransportKind.allCases)
    func `An existing file makes .fail fail and stays as it is`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/a", .text("new"))
        try rig.folder.write("old", to: "a.txt")
        let operation = await rig.get("/a", to: .file(rig.folder.file("a.txt")))
        #expect(operation.error?.code == .fileSystem && operation.fileURL == nil)
        #expect((operation.error?.underlying as? POSIXError)?.code == .EEXIST)
        #expect(try rig.folder.read("a.txt") == "old" && rig.folder.contents == ["a.txt"])
    }

    /// On Linux; file systems of Apple's normalize names.
    #if canImport(Glibc)
        private func listing(_ folder: TemporaryFolder, of name: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.file(name).path(percentEncoded: false))
        }

        @Test(arguments: OddName.twins.map { [$0, $1] } + [OddName.joining, OddName.spaced])
        func `Files whose names have other bytes are other files, each with a part of its own`(names: [String])
            async throws
        {
            let rig = try LiveRig(.default) { $0.retryPolicy = .never }
            rig.server.serve("/a", .generated(size: 200_000, seed: 1).header("ETag", "\"1\"").dropping(after: 150_000))
            for (index, name) in names.enumerated() {
                let operation = await rig.get("/a", to: .file(rig.folder.file("new/\(name)"), resumes: true))
                #expect(operation.status == .failed)
                let parts = try listing(rig.folder, of: "new")
                #expect(
                    parts.count == 2 * (index + 1) && parts.contains { $0.utf8.elementsEqual("\(name).nqk.part".utf8) })
            }
            rig.server.serve("/a", .text("new"))
            for name in names {
                #expect(await rig.get("/a", to: .file(rig.folder.file("new/\(name)"), resumes: true)).error == nil)
            }
            let files = try listing(rig.folder, of: "new").map { Array($0.utf8) }
            #expect(Set(files) == Set(names.map { Array($0.utf8) }))
        }
    #endif

    @Test(arguments: TransportKind.allCases)
    func `.overwrite takes the place of an existing file`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/a", .text("new"))
        try rig.folder.write("old and longer", to: "a.txt")
        let operation = await rig.get("/a", to: .file(rig.folder.file("a.txt"), onConflict: .overwrite))
        #expect(operation.fileURL == rig.folder.file("a.txt"))
        #expect(try rig.folder.read("a.txt") == "new" && rig.folder.contents == ["a.txt"])
    }

    @Test(arguments: TransportKind.allCases)
    func `.overwrite leaves the old file when the download fails`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/a", .generated(size: 9000).dropping(after: 4000))
        try rig.folder.write("old", to: "a.txt")
        let operation = await rig.get("/a", to: .file(rig.folder.file("a.txt"), onConflict: .overwrite))
        #expect(operation.status == .failed)
        #expect(try rig.folder.read("a.txt") == "old" && rig.folder.contents == ["a.txt"])
    }

    @Test(arguments: TransportKind.allCases)
    func `.rename takes the next free name, even for many at a time`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind) { $0.maxConcurrentRequestCount = 8 }
        rig.server.serve("/a", .text("new"))
        try rig.folder.write("old", to: "a.tar.gz")
        let operations = (0..<10).map { _ in
            var request = NetworkRequest(rig.server.url("/a"))
            request.destination = .file(rig.folder.file("a.tar.gz"), onConflict: .rename)
            return rig.queue.add(request)
        }
        #expect(await rig.queue.run().isSuccess)
        #expect(try rig.folder.read("a.tar.gz") == "old")
        #expect(Set(operations.map(\.fileURL)).count == 10 && rig.folder.contents.count == 11)
        #expect(rig.folder.contents == (["a.tar.gz"] + (2...11).map { "a.tar-\($0).gz" }).sorted())
    }

    @Test(arguments: TransportKind.allCases)
    func `One of many downloads that may not replace each other wins`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind) { $0.maxConcurrentRequestCount = 8 }
        let gate = Gate()
        rig.server.serve("/a", .generated(size: 5000, seed: 3).gated(by: gate, at: .afterBody(100)))
        for _ in 0..<8 {
            var request = NetworkRequest(rig.server.url("/a"))
            request.destination = .file(rig.folder.file("a"))
            rig.queue.add(request)
        }
        rig.queue.go()
        #expect(await gate.waitForArrival(count: 8))
        gate.open()
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries[0].counts == .init(finished: 1, failed: 7))
        #expect(rig.folder.contents == ["a"])
        #expect(try GeneratedContent(size: 5000, seed: 3).matches(contentsOf: rig.folder.file("a")))
    }

    @Test(arguments: TransportKind.allCases)
    func `Missing parent folders are created, and names of any kind are fine`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/a", .text("x"))
        for name in [
            "one/two/three/file", "a b", "ü%20ö", "no?query#fragment", ".hidden", "x.",
            String(repeating: "n", count: 200),
        ] {
            let operation = await rig.get("/a", to: .file(rig.folder.file(name)))
            #expect(operation.error == nil && operation.fileURL == rig.folder.file(name), "\(name)")
            #expect(FileManager.default.fileExists(atPath: rig.folder.file(name).path(percentEncoded: false)))
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `A failure or a cancellation leaves nothing behind`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        let gate = Gate()
        rig.server.serve("/cut", .generated(size: 90_000).dropping(after: 50_000))
        rig.server.serve("/held", .generated(size: 90_000).gated(by: gate, at: .afterBody(50_000)))
        rig.server.serve("/500", .text("error page", status: 500))
        for path in ["/cut", "/500"] {
            #expect(await rig.get(path, to: .file(rig.folder.file("a"))).status == .failed)
        }
        #expect(rig.folder.contents == [])
        var request = NetworkRequest(rig.server.url("/held"))
        request.destination = .file(rig.folder.file("a"))
        for calling in [NetworkQueue.cancelAll, NetworkQueue.reset] {
            let operation = RequestOperation(request)
            let (beginning, begun) = AsyncStream.makeStream(of: Void.self)
            operation.downloadProgressHandler = { _, _, _ in begun.finish() }
            rig.queue.add(operation)
            rig.queue.go()
            for await _ in beginning {}
            // The content goes to a file beside the destination, never to the destination.
            #expect(rig.folder.contents.count == 1 && rig.folder.contents != ["a"])
            calling(rig.queue)()
            #expect(await eventually { operation.status == .cancelled })
            #expect(rig.folder.contents == [])
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `Places that cannot be written to fail with the system's reason`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/a", .text("x"))
        try rig.folder.write("a file", to: "file")
        try FileManager.default.createDirectory(at: rig.folder.file("folder"), withIntermediateDirectories: true)
        // Not even root may create files there.
        let readOnly = URL(filePath: "/proc/self/nothing")
        for url in [rig.folder.file("file/below"), readOnly, rig.folder.file(String(repeating: "n", count: 300))] {
            let operation = await rig.get("/a", to: .file(url, onConflict: .overwrite))
            #expect(operation.error?.code == .fileSystem && operation.error?.underlying != nil, "\(url)")
            #expect(rig.recorder.story(of: operation) == ["start", "head 200", "fail fileSystem"])
        }
        let onFolder = await rig.get("/a", to: .file(rig.folder.file("folder"), onConflict: .overwrite))
        #expect(onFolder.error?.code == .fileSystem)
        #expect(rig.folder.contents == ["file", "folder"])
    }

    @Test(.enabled(if: geteuid() != 0, "root may write to a read-only folder"), arguments: TransportKind.allCases)
    func `A download to a read-only folder fails with EACCES`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/a", .text("x"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o555], ofItemAtPath: rig.folder.url.path(percentEncoded: false))
        defer {
            try? FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: rig.folder.url.path(percentEncoded: false))
        }
        let operation = await rig.get("/a", to: .file(rig.folder.file("a")))
        #expect((operation.error?.underlying as? POSIXError)?.code == .EACCES)
    }

    @Test(arguments: TransportKind.allCases)
    func `A destination that is no file URL fails`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/a", .text("x"))
        let path = rig.folder.file("x").path(percentEncoded: false)
        let operation = await rig.get("/a", to: .file(try #require(URL(string: "http://host.test\(path)"))))
        #expect(operation.error?.code == .fileSystem && rig.folder.contents == [])
    }

    @Test(
        .enabled(if: SmallDisk.isAvailable, "only root may mount a small file system"),
        arguments: TransportKind.allCases)
    func `A full disk fails downloads that have no room and keeps the part that a later run goes on with`(
        kind: TransportKind
    ) async throws {
        let disk = try SmallDisk(megabytes: 10)
        defer { disk.remove() }
        let rig = try LiveRig(kind) { $0.maxConcurrentRequestCount = 1 }
        rig.server.serve("/large", .generated(size: 20 << 20).acceptingRanges(etag: "\"1\""))
        rig.server.serve("/small", .generated(size: 1 << 20, seed: 4))
        for name in ["first", "large", "second"] {
            var request = NetworkRequest(rig.server.url(name == "large" ? "/large" : "/small"))
            request.destination = .file(disk.folder.file(name))
            rig.queue.add(request)
        }
        let summary = await rig.queue.run()
        #expect(summary.counts == .init(finished: 1, failed: 2))
        #expect(summary.firstFailure?.operation.request.urlRequest.url?.path() == "/large")
        #expect(summary.firstFailure?.error.code == .fileSystem)
        #expect((summary.firstFailure?.error.underlying as? POSIXError)?.code == .ENOSPC)
        #expect(disk.folder.contents == ["first", "large.nqk.part", "large.nqk.part.info"])
        #expect(try GeneratedContent(size: 1 << 20, seed: 4).matches(contentsOf: disk.folder.file("first")))
    }
}
