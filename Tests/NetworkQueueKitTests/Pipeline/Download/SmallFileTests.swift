import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

import NetworkQueueKit

/// Files that are known to be small: they are made when their content is whole, or cut.
@Suite(.timeLimit(.minutes(10)))
struct SmallFileTests {
    private static let limit = 64 << 10

    private func begin(
        _ rig: QueueRig<NetworkQueue>, length: Int, _ content: Data, request: NetworkRequest? = nil
    ) async -> (RequestOperation, ScriptedExchange) {
        let (operation, exchange) = await rig.start(request ?? rig.request())
        exchange.receive(headers: ["Content-Length": "\(length)", "ETag": "\"v1\""])
        exchange.receive(content)
        return (operation, exchange)
    }

    @Test func `A small file has no part while its content comes and is whole in the end`() async throws {
        let rig = QueueRig.started()
        let content = Data(repeating: 7, count: Self.limit)
        let (operation, exchange) = await begin(rig, length: content.count, content.dropLast(5))
        #expect(rig.folder.contents == [])
        exchange.receive(content.suffix(5))
        exchange.end()
        await rig.end(of: operation)
        #expect(operation.error == nil)
        #expect(try Data(contentsOf: rig.folder.file("file")) == content)
        #expect(rig.folder.contents == ["file"])
    }

    @Test func `A file that is a byte larger than a small one has a part at once`() async throws {
        let rig = QueueRig.started()
        let (operation, _) = await begin(rig, length: Self.limit + 1, Data("begin".utf8))
        #expect(rig.folder.contents == QueueRig.partFiles())
        operation.cancel()
        await rig.end(of: operation)
    }

    @Test(arguments: [false, true])
    func `A small file that is cut or cancelled leaves a part, which is continued`(isCancelled: Bool) async throws {
        let rig = QueueRig.started()
        let (operation, exchange) = await begin(rig, length: 10, Data("01234".utf8))
        if isCancelled { operation.cancel() } else { exchange.end(.networkConnectionLost) }
        await rig.end(of: operation)
        #expect(rig.folder.contents == QueueRig.partFiles())
        #expect(try rig.folder.read("file.nqk.part") == "01234")
        let (_, next) = await rig.start(rig.request())
        #expect(next.exchange.headers["Range"] == "bytes=5-")
    }

    @Test func `An empty small file is made`() async throws {
        let rig = QueueRig.started()
        let (operation, exchange) = await begin(rig, length: 0, Data())
        exchange.end()
        await rig.end(of: operation)
        #expect(operation.error == nil)
        #expect(try rig.folder.read("file") == "")
    }

    @Test func `A small file with more content than announced is refused and leaves nothing`() async throws {
        let rig = QueueRig.started()
        let (operation, exchange) = await begin(rig, length: 3, Data("0123".utf8))
        exchange.end()
        await rig.end(of: operation)
        #expect(operation.error?.code == .badServerResponse)
        #expect(rig.folder.contents == [])
    }

    @Test func `A small file takes the place of a part that means nothing`() async throws {
        let rig = QueueRig.started()
        try rig.folder.write("old", to: "file.nqk.part")
        let (operation, exchange) = await begin(rig, length: 3, Data("new".utf8))
        exchange.end()
        await rig.end(of: operation)
        #expect(operation.error == nil)
        #expect(try rig.folder.read("file") == "new")
        #expect(rig.folder.contents == ["file"])
    }

    @Test(arguments: [1, 500])
    func `Small files are all made, however many are whole at a time`(count: Int) async throws {
        let rig = QueueRig.started()
        let queue = RequestQueue(transport: rig.transport)
        queue.maxConcurrentRequestCount = 0
        let names = (0..<count).map { "file\($0)" }
        let operations = names.map { queue.add(rig.request(to: $0)) }
        await rig.transport.waitForExchanges(count)
        for exchange in rig.transport.exchanges {
            exchange.receive(headers: ["Content-Length": "3"])
            exchange.receive(Data("new".utf8))
            exchange.end()
        }
        await queue.waitUntilEmpty()
        #expect(operations.allSatisfy { $0.error == nil })
        #expect(rig.folder.contents == names.sorted())
    }

    @Test(arguments: [3, limit + 1])
    func `A file has the permissions that the process's mask allows, whatever its size`(size: Int) async throws {
        let rig = QueueRig.started()
        let (operation, exchange) = await begin(rig, length: size, Data(count: size))
        exchange.end()
        await rig.end(of: operation)
        try rig.folder.write("like any other", to: "other")
        let modes = try ["file", "other"].map {
            try FileManager.default.attributesOfItem(atPath: rig.folder.file($0).path(percentEncoded: false))[
                .posixPermissions] as? Int
        }
        #expect(modes[0] != nil && modes[0] == modes[1])
    }
}
