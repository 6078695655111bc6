import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

/// Content of which large pieces are written on another thread.
struct WriteBehindTests {
    private let folder: TemporaryFolder
    private let names: PartNames

    init() throws {
        folder = try TemporaryFolder()
        names = try PartNames(folder.file("a"))
    }

    private func sink(total: Int? = nil) throws -> FileSink {
        let sidecar = Sidecar(
            url: "http://host.test/a", validators: Validators(["ETag": "\"1\""]), total: nil)
        return try FileSink(
            startingOver: nil,
            FilePlan(
                names: names, policy: .fail, sidecar: sidecar, total: total.map(Int64.init), modified: nil))
    }

    /// Pieces of all sizes, those that are written at once among those that are not.
    private func pieces(_ seed: UInt64, count: Int = 60) -> [Data] {
        var generator = SplitMix64(seed: seed)
        return (0..<count).map { _ in
            let size = Bool.random(using: &generator) ? 1...2000 : 50_000...300_000
            return Data(repeating: .random(in: 0...255, using: &generator), count: .random(in: size, using: &generator))
        }
    }

    private func write(_ pieces: [Data], to sink: FileSink) throws {
        for piece in pieces { _ = try piece.withUnsafeBytes { try sink.write($0) } }
    }

    private func finish(_ sink: FileSink) async -> SinkCompletion.Outcome {
        await withCheckedContinuation { continuation in sink.finish().tell { continuation.resume(returning: $0) } }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `A file that is written behind has all content in order when it gets its name`(seed: UInt64) async throws {
        let pieces = pieces(seed)
        let content = pieces.reduce(Data(), +)
        let sink = try sink(total: content.count)
        try write(pieces, to: sink)
        let place = try await finish(sink).get()
        #expect(place.fileURL == folder.file("a"))
        #expect(try Data(contentsOf: folder.file("a")) == content)
        #expect(folder.contents == ["a"])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `An abandoned file has all content that has been taken, and can be continued at once`(seed: UInt64) throws {
        let pieces = pieces(seed, count: Int(seed) + 1)
        let content = pieces.reduce(Data(), +)
        let sink = try sink()
        try write(pieces, to: sink)
        sink.abandon()
        #expect(try Data(contentsOf: folder.file("a.nqk.part")) == content)
        #expect(try ResumePoint.find(names, PartOwner(url: "http://host.test/a"))?.offset == Int64(content.count))
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `A discarded file leaves nothing`(seed: UInt64) throws {
        let sink = try sink()
        try write(pieces(seed, count: Int(seed) + 1), to: sink)
        sink.discard()
        #expect(folder.contents.isEmpty)
    }

    @Test func `A file is written even if no more content comes`() async throws {
        let sink = try sink()
        let part = folder.file("a.nqk.part")
        var content = Data()
        // The second time, too.
        for byte in 1...3 as ClosedRange<UInt8> {
            let pieces = (1...3).map { Data(repeating: byte, count: 16_384 * $0) }
            try write(pieces, to: sink)
            content = pieces.reduce(content, +)
            #expect(await eventually { (try? Data(contentsOf: part)) == content })
        }
        sink.discard()
    }

    @Test func `A sink that is released leaves a part`() throws {
        let pieces = pieces(1)
        do {
            let sink = try sink()
            try write(pieces, to: sink)
        }
        #expect(try Data(contentsOf: folder.file("a.nqk.part")) == pieces.reduce(Data(), +))
    }

    @Test func `A file of the wrong length does not get its name`() async throws {
        let sink = try sink(total: 1_000_000)
        try write([Data(count: 300_000), Data(count: 300_000)], to: sink)
        await #expect(throws: NetworkError.self) { _ = try await finish(sink).get() }
        #expect(folder.contents.isEmpty)
    }
}
