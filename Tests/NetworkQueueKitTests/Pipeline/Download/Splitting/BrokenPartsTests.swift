import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct BrokenPartsTests {
    private static let size = 1 << 20

    /// A download that has shown size, ranges and a tag, in a queue with two slots.
    private func begin(
        slots: Int = 2, minPartSize: Int64 = 1024
    ) async -> (QueueRig<NetworkQueue>, RequestOperation, ScriptedExchange) {
        let rig = QueueRig.started {
            $0.splitting = NetworkRequest.Splitting(maxParts: 4, minPartSize: minPartSize)
            $0.maxConcurrentRequestCount = slots
        }
        let (operation, exchange) = await rig.start(rig.request())
        exchange.receive(
            headers: ["Content-Length": "\(Self.size)", "ETag": "\"v1\"", "Accept-Ranges": "bytes"])
        exchange.receive(Data(count: 1000))
        return (rig, operation, exchange)
    }

    /// Answers a part with the first bytes of what it asks for, or all of them; returns its range.
    @discardableResult
    private func answer(_ part: ScriptedExchange, count: Int? = nil) throws -> Range<Int> {
        let range = try #require(part.exchange.headers["Range"]).dropFirst("bytes=".count)
        let bounds = range.split(separator: "-").compactMap { Int($0) }
        part.receive(status: 206, headers: ["Content-Range": "bytes \(range)/\(Self.size)", "ETag": "\"v1\""])
        part.receive(Data(count: count ?? bounds[1] + 1 - bounds[0]))
        return bounds[0]..<bounds[1] + 1
    }

    @Test func `A server that breaks off one part after the other is not asked forever`() async throws {
        let (rig, operation, _) = await begin()
        for number in 1...8 {
            let part = await rig.transport.exchange(number)
            try answer(part, count: 10)
            part.end(.networkConnectionLost)
        }
        rig.settle()
        #expect(rig.transport.exchanges.count == 9)
        operation.cancel()
        await rig.end(of: operation)
    }

    @Test func `A part of which nothing comes is the last one that is asked for`() async throws {
        let (rig, operation, _) = await begin()
        await rig.transport.exchange(1).answer(.status(503))
        rig.settle()
        #expect(rig.transport.exchanges.count == 2)
        operation.cancel()
        await rig.end(of: operation)
    }

    @Test(arguments: [429, 503])
    func `A refused part teaches how many connections the server allows`(status: Int) async throws {
        let (rig, operation, _) = await begin(slots: 8)
        let parts = await [rig.transport.exchange(1), rig.transport.exchange(2), rig.transport.exchange(3)]
        parts[2].answer(.status(status))
        rig.settle()
        // The refused part would be the fourth again.
        #expect(rig.transport.exchanges.count == 4)
        try answer(parts[0])
        // Each further refusal lowers the limit: one part is left beside the download's own exchange, and then none.
        await rig.transport.exchange(4).answer(.status(status))
        rig.settle()
        #expect(rig.transport.exchanges.count == 5)
        operation.cancel()
        await rig.end(of: operation)
    }

    @Test func `A download whose ranges cannot be recorded is fetched by one exchange after the other`() async throws {
        let (rig, operation, exchange) = await begin(slots: 1)
        // It is in the way of the next sidecar.
        try FileManager.default.createDirectory(
            at: rig.folder.file("file.nqk.part.info.new"), withIntermediateDirectories: true)
        rig.queue.maxConcurrentRequestCount = 2
        rig.settle()
        #expect(rig.transport.exchanges.count == 1)
        exchange.end()
        let rest = await rig.transport.exchange(1)
        #expect(try answer(rest) == 1000..<Self.size)
        rest.end()
        await rig.end(of: operation)
        #expect(operation.error == nil)
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "only root may mount a small file system"))
    func `Content that has arrived and finds no room fails with the error of the disk`() async throws {
        let disk = try SmallDisk(megabytes: 1)
        defer { disk.remove() }
        let rig = QueueRig.started {
            $0.splitting = NetworkRequest.Splitting(maxParts: 4, minPartSize: 1024)
            $0.maxConcurrentRequestCount = 1
        }
        let request = NetworkRequest(.test("file"), destination: .file(disk.folder.file("file")))
        let (operation, exchange) = await rig.start(request)
        exchange.receive(headers: ["Content-Length": "100000", "ETag": "\"v1\"", "Accept-Ranges": "bytes"])
        #expect(throws: (any Error).self) { try disk.folder.write(Data(count: 2 << 20), to: "filler") }
        // It waits in memory, and is written once the exchange has been stopped.
        exchange.receive(Data(count: 100_000))
        await rig.end(of: operation)
        #expect(operation.error?.code == .fileSystem)
    }

    @Test func `The rest of a slow exchange is divided again once a slot is free`() async throws {
        let (rig, operation, exchange) = await begin(minPartSize: 400_000)
        let range = try answer(await rig.transport.exchange(1))
        rig.settle()
        #expect(rig.transport.exchanges.count == 2)
        rig.advance(by: .seconds(10))
        exchange.receive(Data(count: 1000))
        let half = try answer(await rig.transport.exchange(2))
        #expect(half.upperBound == range.lowerBound && half.count == (range.lowerBound - 2000) / 2)
        operation.cancel()
        await rig.end(of: operation)
    }
}
