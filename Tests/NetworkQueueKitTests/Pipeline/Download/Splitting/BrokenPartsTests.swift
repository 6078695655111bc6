import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct BrokenPartsTests {
    private static let size = 1 << 20

    /// A download that has shown size, ranges and a tag, in a queue with two slots.
    private func begin() async -> (QueueRig<NetworkQueue>, RequestOperation) {
        let rig = QueueRig.started {
            $0.splitting = NetworkRequest.Splitting(maxParts: 4, minPartSize: 1024)
            $0.maxConcurrentRequestCount = 2
        }
        let (operation, exchange) = await rig.start(rig.request())
        exchange.receive(
            headers: ["Content-Length": "\(Self.size)", "ETag": "\"v1\"", "Accept-Ranges": "bytes"])
        exchange.receive(Data(count: 1000))
        return (rig, operation)
    }

    @Test func `A server that breaks off one part after the other is not asked forever`() async throws {
        let (rig, operation) = await begin()
        for number in 1...8 {
            let part = await rig.transport.exchange(number)
            let range = try #require(part.exchange.headers["Range"]).dropFirst("bytes=".count)
            part.receive(
                status: 206, headers: ["Content-Range": "bytes \(range)/\(Self.size)", "ETag": "\"v1\""])
            part.receive(Data(count: 10))
            part.end(.networkConnectionLost)
        }
        rig.settle()
        #expect(rig.transport.exchanges.count == 9)
        operation.cancel()
        await rig.end(of: operation)
    }

    @Test func `A part of which nothing comes is the last one that is asked for`() async throws {
        let (rig, operation) = await begin()
        await rig.transport.exchange(1).answer(.status(503))
        rig.settle()
        #expect(rig.transport.exchanges.count == 2)
        operation.cancel()
        await rig.end(of: operation)
    }
}
