import Dispatch
import Foundation
import LoopbackHTTP
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

/// `maxBytesPerSecond` over real connections, with a clock that stands still until the test turns it.
@Suite(.timeLimit(.minutes(10)))
struct BandwidthTests {
    private let clock = ManualClock()
    /// The bytes moved by each operation so far, in both directions.
    private let moved = Gathering<[RequestOperation.ID: Int64]>()
    private let latest = Guarded<[RequestOperation.ID: Int64]>([:])

    private func makeRig(_ kind: TransportKind, bytesPerSecond: Int) throws -> LiveRig<NetworkQueue> {
        try LiveRig(kind, timekeeper: clock) {
            $0.cancelsAllOnFailure = true
            $0.maxConcurrentRequestCount = 0
            $0.maxBytesPerSecond = bytesPerSecond
        }
    }

    private func add(_ request: NetworkRequest, to rig: LiveRig<NetworkQueue>) -> RequestOperation {
        let operation = RequestOperation(request)
        let note: RequestOperation.ProgressHandler = { [id = operation.id, moved, latest] _, bytes, _ in
            moved.add(
                latest.withLock { latest in
                    latest[id] = bytes
                    return latest
                })
        }
        if request.body == nil {
            operation.downloadProgressHandler = note
        } else {
            operation.uploadProgressHandler = note
        }
        rig.queue.add(operation)
        return operation
    }

    /// Waits until at least so many bytes have been moved in all, and returns how many.
    private func waitForSum(_ count: Int64) async -> Int64 {
        var seen = 0
        while true {
            let values = await moved.wait(count: seen + 1)
            let sum = values.last.map { $0.values.reduce(0, +) } ?? 0
            if sum >= count { return sum }
            seen = values.count
        }
    }

    #if canImport(Glibc)
        @Test func `Downloads move what the clock allows and a portion each, until the limit is removed`()
            async throws
        {
            let rig = try makeRig(.curl, bytesPerSecond: 1_000_000)
            rig.server.serve("/*", .generated(size: 300_000))
            let downloads = (0..<3).map { add(NetworkRequest(rig.server.url("/\($0)")), to: rig) }
            rig.queue.go()
            var sum = await waitForSum(1)
            for step in 1...20 {
                // 10 ms allow 10,000 bytes, and portions are as large.
                clock.advance(by: .milliseconds(10))
                sum = await waitForSum(Int64(step) * 10_000)
                #expect(sum <= Int64(step + 3) * 10_000)
            }
            #expect(downloads.allSatisfy { $0.status == .running })
            rig.queue.maxBytesPerSecond = nil
            await rig.recorder.waitForDrain()
            #expect(downloads.allSatisfy { $0.data?.count == 300_000 })
        }

        @Test func `Uploads and downloads share the limit`() async throws {
            let rig = try makeRig(.curl, bytesPerSecond: 1_000_000)
            rig.server.serve("/*", .generated(size: 300_000))
            let put = NetworkRequest.put(rig.server.url("/put"), body: .data(Data(count: 300_000)))
            let operations = [add(put, to: rig), add(NetworkRequest(rig.server.url("/get")), to: rig)]
            rig.queue.go()
            for step in 1...10 {
                clock.advance(by: .milliseconds(10))
                #expect(await waitForSum(Int64(step) * 10_000) <= Int64(step + 2) * 10_000)
            }
            rig.queue.maxBytesPerSecond = nil
            await rig.recorder.waitForDrain()
            #expect(operations.allSatisfy { $0.error == nil })
        }

        @Test func `Downloads that rest can be cancelled`() async throws {
            let rig = try makeRig(.curl, bytesPerSecond: 1)
            rig.server.serve("/*", .generated(size: 300_000))
            for number in 0..<10 { _ = add(NetworkRequest(rig.server.url("/\(number)")), to: rig) }
            rig.queue.go()
            _ = await waitForSum(1)
            rig.queue.cancelAll()
            await rig.recorder.waitForDrain()
            #expect(rig.recorder.summaries.first?.counts.cancelled == 10)
        }
    #endif

    @Test(.enabled(if: TransportKind.includesURLSession, "URLSessionTransport is left out"))
    func `The next request over URLSession waits until the limit has caught up with the one before`() async throws {
        let rig = try makeRig(.urlSession, bytesPerSecond: 1_000_000)
        rig.queue.maxConcurrentRequestCount = 1
        rig.server.serve("/*", .generated(size: 100_000))
        let first = add(NetworkRequest(rig.server.url("/first")), to: rig)
        let second = add(NetworkRequest(rig.server.url("/second")), to: rig)
        rig.queue.go()
        await rig.recorder.wait { $0.contains { $0.kind == .didStart && $0.operation === second } }
        #expect(first.data?.count == 100_000)
        for _ in 0..<9 {
            clock.advance(by: .milliseconds(10))
            #expect(rig.server.requestCount("/second") == 0)
        }
        clock.advance(by: .milliseconds(10))
        await rig.recorder.waitForDrain()
        #expect(second.data?.count == 100_000)

        // One that waits can be cancelled, and a limit that is taken away lets it go.
        let third = add(NetworkRequest(rig.server.url("/third")), to: rig)
        let fourth = add(NetworkRequest(rig.server.url("/fourth")), to: rig)
        await rig.recorder.wait { $0.contains { $0.kind == .didStart && $0.operation === third } }
        third.cancel()
        await rig.recorder.wait { $0.contains { $0.kind == .didStart && $0.operation === fourth } }
        rig.queue.maxBytesPerSecond = nil
        await rig.recorder.waitForDrain(2)
        #expect(third.status == .cancelled && fourth.data?.count == 100_000)
        #expect(rig.server.requestCount("/third") == 0)
    }
}
