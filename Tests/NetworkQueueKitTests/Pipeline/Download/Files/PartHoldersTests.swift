import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct PartHoldersTests {
    /// A rig with one slot, and a download that has received the first half of its content. Its exchange outlives a
    /// cancellation.
    private func rigWithHalf(
        allowsDuplicates: Bool = true
    ) async throws -> (QueueRig<NetworkQueue>, RequestOperation, ScriptedExchange) {
        let rig = QueueRig.started(ScriptedTransport(obeysCancellation: false)) {
            $0.maxConcurrentRequestCount = 1
            $0.allowsDuplicateRequests = allowsDuplicates
        }
        let (operation, exchange) = await rig.start(rig.request())
        exchange.receive(headers: ["Content-Length": "10", "ETag": "\"v1\""])
        exchange.receive(Data("01234".utf8))
        return (rig, operation, exchange)
    }

    @Test(arguments: [false, true])
    func `A download waits without a slot until a cancelled one has closed their part, and resumes it`(
        isDuplicate: Bool
    ) async throws {
        let (rig, first, exchange) = try await rigWithHalf(allowsDuplicates: !isDuplicate)
        if !isDuplicate { first.cancel() }
        let second = rig.queue.add(rig.request())
        let other = rig.queue.add(.test("other"))
        rig.settle()
        #expect(first.isCancelled && first.status == .running && second.status == .waiting)
        exchange.end(.cancelled)
        await rig.end(of: first)
        // The slot was the first one's until it ended. Now the second is before what came after it.
        let continued = await rig.transport.exchange(1)
        #expect(continued.exchange.headers["Range"] == "bytes=5-" && other.status == .waiting)
        continued.answer(.rest())
        await rig.end(of: second)
        #expect(second.error == nil && second.attempts == 1)
        #expect(rig.recorder.story(of: second) == ["start", "head 206", "finish"])
        #expect(try rig.folder.read("file") == "0123456789")
        await rig.transport.exchange(2).answer(.ok())
        await rig.end(of: other)
        #expect(rig.folder.contents == ["file"])
    }

    @Test(arguments: OddName.twins)
    func `A download does not wait for the part of a file whose name has other bytes`(one: String, other: String)
        async throws
    {
        let rig = QueueRig.started(ScriptedTransport(obeysCancellation: false))
        let (first, exchange) = await rig.start(rig.request(to: one))
        exchange.receive(headers: ["Content-Length": "10", "ETag": "\"v1\""])
        exchange.receive(Data("01234".utf8))
        first.cancel()
        let second = rig.queue.add(rig.request(to: other))
        rig.settle()
        #expect(first.status == .running && second.status == .running)
        await rig.transport.exchange(1).answer(.ok())
        await rig.end(of: second)
        #expect(second.error == nil)
        exchange.end(.cancelled)
        await rig.end(of: first)
    }

    @Test func `A slot is free for others while a download waits for a part`() async throws {
        let (rig, first, exchange) = try await rigWithHalf()
        first.cancel()
        rig.queue.maxConcurrentRequestCount = 2
        let second = rig.queue.add(rig.request())
        let other = rig.queue.add(.test("other"))
        await rig.transport.exchange(1).answer(.ok())
        await rig.end(of: other)
        #expect(second.status == .waiting && rig.queue.requestCount == 2)
        exchange.end(.cancelled)
        await rig.transport.exchange(2).answer(.rest())
        await rig.end(of: second)
        #expect(try rig.folder.read("file") == "0123456789")
    }

    @Test func `A download can be cancelled while it waits for a part`() async throws {
        let (rig, first, exchange) = try await rigWithHalf()
        first.cancel()
        rig.queue.maxConcurrentRequestCount = 2
        let second = rig.queue.add(rig.request())
        rig.settle()
        second.cancel()
        await rig.end(of: second)
        #expect(rig.recorder.story(of: second) == ["fail cancelled"] && second.attempts == 0)
        exchange.end(.cancelled)
        await rig.end(of: first)
        await rig.queue.waitUntilEmpty()
        #expect(rig.transport.exchanges.count == 1 && rig.folder.contents == QueueRig.partFiles())
    }

    @Test func `A download to the file of one that goes on does not wait for it`() async throws {
        let (rig, first, exchange) = try await rigWithHalf()
        rig.queue.maxConcurrentRequestCount = 2
        let second = rig.queue.add(rig.request("elsewhere", onConflict: .overwrite))
        await rig.transport.exchange(1).answer(.ok("other"))
        await rig.end(of: second)
        #expect(second.error == nil)
        exchange.end(.cancelled)
        await rig.end(of: first)
    }
}
