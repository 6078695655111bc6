import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

/// Mirrors over real transports: each is a server of its own.
@Suite(.timeLimit(.minutes(10)))
struct MirrorOverTheWireTests {
    private static let size: Int64 = 150_000
    private static let content = GeneratedContent(size: size, seed: 1)
    private static let good = ScriptedResponse.generated(size: size, seed: 1)
    private static let bad = ScriptedResponse.generated(size: size, seed: 2)
    private static let checksum: NetworkRequest.Checksum = {
        var hash = HashAlgorithm.sha256.makeHash()
        content.bytes(in: 0..<size).withUnsafeBytes { hash.update($0) }
        return .sha256(hash.finish().hexadecimal)
    }()

    private let folder: TemporaryFolder
    private let mirror: LoopbackServer

    init() throws {
        folder = try TemporaryFolder()
        mirror = try LoopbackServer()
    }

    private var file: URL { folder.file("a") }

    /// A download of `/a` from the rig's server, or from its mirror.
    private func download(
        _ rig: LiveRig<NetworkQueue>, checksum: NetworkRequest.Checksum? = nil,
        _ change: (inout NetworkRequest) -> Void = { _ in }
    ) async -> RequestOperation {
        await rig.run(request(rig, checksum: checksum, change))
    }

    private func request(
        _ rig: LiveRig<NetworkQueue>, checksum: NetworkRequest.Checksum? = nil,
        _ change: (inout NetworkRequest) -> Void = { _ in }
    ) -> NetworkRequest {
        var request = NetworkRequest.download(rig.server.url("/a"), to: file)
        request.mirrors = [mirror.url("/b")]
        request.expectedChecksum = checksum
        change(&request)
        return request
    }

    private func expectWhole(
        _ operation: RequestOperation, from server: LoopbackServer, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(operation.error == nil, sourceLocation: sourceLocation)
        #expect(operation.responseHead?.url.port.map(UInt16.init) == server.port, sourceLocation: sourceLocation)
        #expect(try Self.content.matches(contentsOf: file), sourceLocation: sourceLocation)
        #expect(folder.contents == ["a"], sourceLocation: sourceLocation)
    }

    private var ranges: [String?] { mirror.requests.map { $0.headers["Range"] } }

    @Test(arguments: TransportKind.allCases)
    func `A refused connection, a 404 and a 503 after its retries move on`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind) {
            $0.retryPolicy = RetryPolicy(maxRetries: 2, backoff: .constant(.milliseconds(1)))
        }
        mirror.serve("/b", Self.good)
        let closed = try ClosedPort()
        let refused = await download(rig) {
            $0.url = URL(string: "http://127.0.0.1:\(closed.port)/a") ?? $0.url
            $0.destination = .file(file, onConflict: .overwrite)
        }
        try expectWhole(refused, from: mirror)
        #expect(refused.attempts == 4)
        let missing = await download(rig) { $0.destination = .file(file, onConflict: .overwrite) }
        try expectWhole(missing, from: mirror)
        #expect(missing.attempts == 2 && rig.server.requestCount("/a") == 1)
        rig.server.serve("/a", .status(503))
        let busy = await download(rig) { $0.destination = .file(file, onConflict: .overwrite) }
        try expectWhole(busy, from: mirror)
        #expect(busy.attempts == 4 && rig.server.requestCount("/a") == 4)
    }

    @Test(arguments: TransportKind.allCases)
    func `Without a checksum a file that was cut starts over at its mirror`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        // Also where both servers send the same tag, and where a key names the content.
        rig.server.serve("/a", Self.bad.acceptingRanges(etag: "\"1\"").dropping(after: 100_000))
        mirror.serve("/b", Self.good.acceptingRanges(etag: "\"1\""))
        let operation = await download(rig) { $0.resumeKey = "key" }
        try expectWhole(operation, from: mirror)
        #expect(ranges == [nil])
        #expect(rig.queue.progress.download.transferred == Self.size)
    }

    @Test(arguments: TransportKind.allCases)
    func `With a checksum a file that was cut goes on at its mirror, whatever its tag`(kind: TransportKind) async throws
    {
        let rig = try LiveRig(kind)
        rig.server.serve("/a", Self.good.acceptingRanges(etag: "\"1\"").dropping(after: 100_000))
        mirror.serve("/b", Self.good.acceptingRanges(etag: "\"2\""))
        let operation = await download(rig, checksum: Self.checksum)
        try expectWhole(operation, from: mirror)
        #expect(ranges == ["bytes=100000-"])
        #expect(mirror.requests.first?.headers["If-Range"] == nil)
    }

    @Test(arguments: TransportKind.allCases)
    func `A part that does not fit what a mirror adds is thrown away, and the mirror asked once more`(
        kind: TransportKind
    )
        async throws
    {
        let rig = try LiveRig(kind)
        rig.server.serve("/a", Self.bad.acceptingRanges(etag: "\"1\"").dropping(after: 100_000))
        mirror.serve("/b", Self.good.acceptingRanges(etag: "\"1\""))
        let operation = await download(rig, checksum: Self.checksum)
        try expectWhole(operation, from: mirror)
        #expect(ranges == ["bytes=100000-", nil])
        // A mirror that is wrong itself is not asked for ever.
        mirror.forgetRequests()
        mirror.serve("/b", Self.bad.acceptingRanges(etag: "\"1\""))
        let wrong = await download(rig, checksum: Self.checksum) { $0.destination = .file(folder.file("c")) }
        #expect(wrong.error?.code == .contentMismatch)
        #expect(wrong.error?.formerFailures.count == 1)
        #expect(ranges == ["bytes=100000-", nil])
        #expect(folder.contents == ["a"])
    }

    @Test(arguments: TransportKind.allCases)
    func `A wrong checksum moves on, and a mirror without ranges sends all of it`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/a", Self.bad)
        mirror.serve("/b", Self.good)
        try expectWhole(await download(rig, checksum: Self.checksum), from: mirror)
        rig.server.serve("/a", Self.good.acceptingRanges(etag: "\"1\"").dropping(after: 100_000))
        let operation = await download(rig, checksum: Self.checksum) {
            $0.destination = .file(file, onConflict: .overwrite)
        }
        try expectWhole(operation, from: mirror)
    }

    @Test(arguments: TransportKind.allCases)
    func `A part of two servers is continued by a later run under its checksum alone`(kind: TransportKind) async throws
    {
        let rig = try LiveRig(kind)
        rig.server.serve("/a", Self.good.acceptingRanges(etag: "\"1\"").dropping(after: 50_000))
        // What a request without mirrors has left counts as well.
        #expect(await download(rig) { $0.mirrors = [] }.error?.code == .connectionLost)
        rig.server.serve("/a", .status(404))
        mirror.serve("/b", Self.good.acceptingRanges(etag: "\"1\"").dropping(after: 50_000))
        #expect(await download(rig, checksum: Self.checksum).error?.code == .connectionLost)
        #expect(ranges == ["bytes=50000-"])
        // It is not for a request that no checksum protects, though the tag is the same.
        rig.server.forgetRequests()
        rig.server.serve("/a", Self.good.acceptingRanges(etag: "\"1\""))
        let copy = folder.url.appending(path: "copies")
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        for name in folder.contents where name.hasPrefix("a.") {
            try FileManager.default.copyItem(at: folder.file(name), to: copy.appending(path: name))
        }
        var plain = request(rig)
        plain.mirrors = []
        plain.destination = .file(copy.appending(path: "a"))
        #expect(await rig.run(plain).error == nil)
        #expect(rig.server.requests.map { $0.headers["Range"] } == [nil])
        try FileManager.default.removeItem(at: copy)
        rig.server.forgetRequests()
        try expectWhole(await download(rig, checksum: Self.checksum), from: rig.server)
        #expect(rig.server.requests.map { $0.headers["Range"] } == ["bytes=100000-"])
    }

    @Test(arguments: TransportKind.allCases)
    func `A HEAD of the request's own URL says nothing about a part of the mirror's`(kind: TransportKind) async throws {
        // Both have the same tag and size, and other content.
        mirror.serve("/b", Self.good.acceptingRanges(etag: "\"1\"").dropping(after: 149_999))
        let former = try LiveRig(kind)
        #expect(await download(former).status == .failed)
        // Now it seems to be whole.
        let part = try FileHandle(forWritingTo: folder.file("a.nqk.part"))
        try part.seekToEnd()
        try part.write(contentsOf: Data([0]))
        try part.close()
        mirror.serve("/b", Self.good.acceptingRanges(etag: "\"1\""))
        let rig = try LiveRig(kind) { $0.showsAccurateProgress = true }
        rig.server.serve("/a", ScriptedResponse.status(500).head(Self.bad.acceptingRanges(etag: "\"1\"")))
        try expectWhole(await download(rig), from: mirror)
        #expect(ranges == [nil, "bytes=149998-"])
    }

    @Test(arguments: TransportKind.allCases, [true, false])
    func `A download that is paused or cancelled at a mirror goes on there, from its part`(
        kind: TransportKind, isPaused: Bool
    ) async throws {
        let rig = try LiveRig(kind)
        let gate = Gate()
        mirror.serve("/b", Self.good.acceptingRanges(etag: "\"1\"").gated(by: gate, at: .afterBody(100_000)))
        let operation = rig.queue.add(request(rig))
        rig.queue.go()
        await gate.waitForArrival()
        #expect(await eventually { rig.queue.progress.download.transferred >= 100_000 })
        if isPaused {
            operation.pause()
            #expect(await eventually { operation.status == .paused })
            gate.open()
            operation.resume()
            await rig.recorder.waitForDrain()
            try expectWhole(operation, from: mirror)
            #expect(operation.attempts == 2 && rig.server.requestCount("/a") == 1)
        } else {
            operation.cancel()
            await rig.recorder.waitForDrain()
            #expect(operation.status == .cancelled && folder.contents == ["a.nqk.part", "a.nqk.part.info"])
            gate.open()
            try expectWhole(await download(rig), from: mirror)
        }
        #expect(ranges == [nil, "bytes=100000-"])
    }

    @Test(arguments: TransportKind.allCases)
    func `A sink that has begun gets nothing of another server`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        let gate = Gate()
        rig.server.serve("/a", Self.good.dropping(after: 100_000).gated(by: gate, at: .afterBody(1000)))
        mirror.serve("/b", Self.good)
        rig.queue.go()
        var request = request(rig)
        request.destination = .memory
        var chunks = try await rig.queue.bytes(for: request).chunks.makeAsyncIterator()
        #expect(try await chunks.next()?.isEmpty == false)
        gate.open()
        await #expect(throws: NetworkError.self) {
            while try await chunks.next() != nil {}
        }
        #expect(mirror.requests.isEmpty)
    }
}
