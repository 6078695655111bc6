import Foundation
import LoopbackHTTP
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

/// Content of which large pieces are written on another thread.
@Suite(.timeLimit(.minutes(10)))
struct WriteBehindTests {
    private let rig: QueueRig<NetworkQueue>

    init() { rig = QueueRig.started() }

    /// Pieces of all sizes, those that are written at once among those that are not.
    private func pieces(_ seed: UInt64, count: Int = 60) -> [Data] {
        var generator = SplitMix64(seed: seed)
        return (0..<count).map { _ in
            let size = Bool.random(using: &generator) ? 1...2000 : 50_000...300_000
            return Data(repeating: .random(in: 0...255, using: &generator), count: .random(in: size, using: &generator))
        }
    }

    /// Starts a download that gets `pieces`, of content whose length is not announced unless it is given.
    private func begin(
        _ pieces: [Data], length: Int? = nil, resume: Bool = true
    ) async -> (RequestOperation, ScriptedExchange) {
        let (operation, exchange) = await rig.start(rig.request(resume: resume))
        var headers: HTTPHeaders = ["ETag": "\"v1\""]
        if let length { headers["Content-Length"] = "\(length)" }
        exchange.receive(headers: headers)
        for piece in pieces { exchange.receive(piece) }
        return (operation, exchange)
    }

    private func content(of name: String) throws -> Data { try Data(contentsOf: rig.folder.file(name)) }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `A file that is written behind has all content in order when it gets its name`(seed: UInt64) async throws {
        let pieces = pieces(seed)
        let expected = pieces.reduce(Data(), +)
        let (operation, exchange) = await begin(pieces, length: expected.count)
        exchange.end()
        await rig.end(of: operation)
        #expect(operation.fileURL == rig.folder.file("file"))
        #expect(try content(of: "file") == expected)
        #expect(rig.folder.contents == ["file"])
    }

    @Test(arguments: 0..<8 as Range<UInt64>, [true, false])
    func `A file that is cut is continued behind all that has come, or leaves nothing if it may not be`(
        seed: UInt64, resume: Bool
    ) async throws {
        let pieces = pieces(seed, count: Int(seed) + 1)
        let expected = pieces.reduce(Data(), +)
        let (operation, exchange) = await begin(pieces, resume: resume)
        exchange.end(.networkConnectionLost)
        await rig.end(of: operation)
        guard resume else { return #expect(rig.folder.contents.isEmpty) }
        #expect(try content(of: "file.nqk.part") == expected)
        let (_, next) = await rig.start(rig.request())
        #expect(next.exchange.headers["Range"] == "bytes=\(expected.count)-")
    }

    @Test func `What has come of a file is written even if no more content comes`() async {
        let (operation, exchange) = await begin([])
        var expected = Data()
        // The second time, too.
        for byte in 1...3 as ClosedRange<UInt8> {
            for size in 1...3 {
                let piece = Data(repeating: byte, count: 16_384 * size)
                exchange.receive(piece)
                expected += piece
            }
            #expect(await eventually { (try? content(of: "file.nqk.part")) == expected })
        }
        operation.cancel()
        await rig.end(of: operation)
    }

    @Test func `A file of the wrong length does not get its name`() async {
        let (operation, exchange) = await begin(
            [Data(count: 300_000), Data(count: 300_000)], length: 1_000_000, resume: false)
        exchange.end()
        await rig.end(of: operation)
        #expect(operation.error != nil)
        #expect(rig.folder.contents.isEmpty)
    }
}
