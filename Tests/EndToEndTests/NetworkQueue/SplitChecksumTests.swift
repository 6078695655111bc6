import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

/// Files in parts that are hashed while they arrive.
@Suite(.timeLimit(.minutes(10)))
struct SplitChecksumTests {
    static let size: Int64 = 12 << 20
    static let file = ScriptedResponse.generated(size: size, seed: 1).acceptingRanges(etag: "\"1\"")
    static let content = GeneratedContent(size: size, seed: 1)
    static let checksum = checksum(of: content)

    static func checksum(of content: GeneratedContent) -> NetworkRequest.Checksum {
        var hash = HashAlgorithm.sha256.makeHash()
        content.bytes(in: 0..<content.size).withUnsafeBytes { hash.update($0) }
        return .sha256(hash.finish().hexadecimal)
    }

    private func request(
        _ rig: LiveRig<NetworkQueue>, _ name: String = "a", _ checksum: NetworkRequest.Checksum = checksum
    ) -> NetworkRequest {
        var request = NetworkRequest(rig.server.url("/a"), destination: .file(rig.folder.file(name)))
        request.expectedChecksum = checksum
        return request
    }

    private func expectWhole(
        _ operation: RequestOperation, _ rig: LiveRig<NetworkQueue>, _ content: GeneratedContent = content,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(operation.error == nil, sourceLocation: sourceLocation)
        #expect(try content.matches(contentsOf: rig.folder.file("a")), sourceLocation: sourceLocation)
        #expect(rig.folder.contents == ["a"], sourceLocation: sourceLocation)
    }

    @Test(arguments: TransportKind.allCases)
    func `The checksum of a file whose parts break off is right`(kind: TransportKind) async throws {
        let rig = try SplittingTests.rig(kind)
        let count = SplittingTests.Counter()
        SplittingTests.serve(rig, "a", Self.file, untilThereAre: 4) { _ in
            count.increment() < 8 ? Self.file.dropping(after: 1_300_000) : Self.file
        }
        let operation = await rig.run(request(rig))
        try expectWhole(operation, rig)
        #expect(operation.attempts == 1)
    }

    @Test(arguments: TransportKind.allCases, [true, false])
    func `The checksum of a file that is paused or cancelled and continued is right`(
        kind: TransportKind, isPaused: Bool
    ) async throws {
        let rig = try SplittingTests.rig(kind)
        let cut: Int64 = 1_500_000
        let isStalling = Guarded(true)
        rig.server.serve("/a") { _ in isStalling.withLock { $0 } ? Self.file.stalling(after: cut) : Self.file }
        var operation = rig.queue.add(request(rig))
        rig.queue.go()
        #expect(await eventually { operation.progress.download.transferred == 4 * cut })
        if isPaused {
            operation.pause()
            #expect(await eventually { operation.status == .paused })
        } else {
            operation.cancel()
            await rig.queue.waitUntilEmpty()
        }
        isStalling.withLock { $0 = false }
        rig.server.forgetRequests()
        if isPaused { operation.resume() } else { operation = rig.queue.add(request(rig)) }
        _ = try? await operation.response()
        try expectWhole(operation, rig)
        #expect(operation.progress.download.transferred == Self.size)
        #expect(rig.server.requests.allSatisfy { $0.headers["Range"] != nil })
    }

    @Test(arguments: TransportKind.allCases)
    func `Bytes that a program has changed in a part are found, and the file is fetched afresh`(kind: TransportKind)
        async throws
    {
        let rig = try SplittingTests.rig(kind)
        let isStalling = Guarded(true)
        rig.server.serve("/a") { _ in
            isStalling.withLock { $0 } ? Self.file.stalling(after: 1_500_000) : Self.file
        }
        let operation = rig.queue.add(request(rig))
        rig.queue.go()
        #expect(await eventually { operation.progress.download.transferred == 6_000_000 })
        operation.cancel()
        await rig.queue.waitUntilEmpty()
        let part = try FileHandle(forUpdating: rig.folder.file("a.nqk.part"))
        try part.seek(toOffset: 1_000_000)
        try part.write(contentsOf: Data("something else".utf8))
        try part.close()
        isStalling.withLock { $0 = false }
        let next = await rig.run(request(rig))
        try expectWhole(next, rig)
        #expect(next.attempts == 2)
    }

    @Test(arguments: TransportKind.allCases)
    func `A file that changes while its parts arrive has the checksum of its new content`(kind: TransportKind)
        async throws
    {
        let rig = try SplittingTests.rig(kind) {
            $0.retryPolicy = RetryPolicy(maxRetries: 3, backoff: .constant(.milliseconds(1)))
        }
        let new = ScriptedResponse.generated(size: Self.size, seed: 2).acceptingRanges(etag: "\"2\"")
        let content = GeneratedContent(size: Self.size, seed: 2)
        let isChanged = Guarded(false)
        rig.server.serve("/a") { _ in isChanged.withLock { $0 } ? new : Self.file.stalling(after: 1_500_000) }
        let operation = rig.queue.add(request(rig, "a", Self.checksum(of: content)))
        rig.queue.go()
        #expect(await eventually { operation.progress.download.transferred == 6_000_000 })
        isChanged.withLock { $0 = true }
        operation.pause()
        #expect(await eventually { operation.status == .paused })
        operation.resume()
        _ = try? await operation.response()
        try expectWhole(operation, rig, content)
    }

    @Test(arguments: 0..<4)
    func `Downloads in parts that are disturbed at random have the expected checksum or none`(seed: Int) async throws {
        let rig = try SplittingTests.rig(.allCases[seed % TransportKind.allCases.count], slots: 6) {
            $0.retryPolicy = RetryPolicy(maxRetries: 8, backoff: .constant(.milliseconds(1)))
        }
        let random = Guarded(SplitMix64(seed: UInt64(seed)))
        func number(_ range: Range<Int64>) -> Int64 { random.withLock { .random(in: range, using: &$0) } }
        rig.server.serve("/a") { _ in
            let (kind, cut) = random.withLock {
                (Int.random(in: 0..<10, using: &$0), Int64.random(in: 0..<Self.size, using: &$0))
            }
            return kind < 4 ? Self.file.dropping(after: cut) : Self.file
        }
        let operations = (0..<4).map { rig.queue.add(request(rig, "\($0)")) }
        rig.queue.go()
        for operation in operations {
            let threshold = number(0..<Self.size)
            _ = await eventually { operation.progress.download.transferred >= threshold || operation.status.isTerminal }
            switch number(0..<4) {
            case 0: operation.cancel()
            case 1, 2:
                operation.pause()
                operation.resume()
            default: break
            }
        }
        await rig.queue.waitUntilEmpty()
        for (number, operation) in operations.enumerated() {
            #expect(operation.error.map { $0.code != .contentMismatch } ?? true)
            guard operation.status == .finished else { continue }
            #expect(try Self.content.matches(contentsOf: rig.folder.file("\(number)")))
        }
    }
}
