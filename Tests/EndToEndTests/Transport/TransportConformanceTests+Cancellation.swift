import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Synchronization
import Testing

extension TransportConformanceTests {
    @Test(arguments: TransportKind.allCases)
    func `Cancelling at once completes the exchange as cancelled`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", .silence)
        for _ in 0..<50 {
            let recorder = EventRecorder()
            bench.transport.start(bench.exchange(), receiver: recorder).cancel()
            #expect(await recorder.outcome().error?.code == .cancelled)
        }
        await bench.settle()
    }

    #if os(Linux)
        @Test(arguments: TransportKind.allCases)
        func `Cancelling while connecting completes the exchange without a head`(kind: TransportKind) async throws {
            let bench = try TransportBench(kind)
            let host = try UnresponsiveHost()
            let recorder = EventRecorder()
            let handle = bench.transport.start(HTTPExchange(url: host.url), receiver: recorder)
            // The one behind it is through, so this one is on its way.
            await bench.settle()
            handle.cancel()
            let transcript = await recorder.outcome()
            #expect(transcript.error?.code == .cancelled)
            #expect(transcript.head == nil)
            await bench.settle()
        }
    #endif

    @Test(arguments: TransportKind.allCases, [false, true])
    func `Cancelling before the head or in the content ends the exchange and its connection`(
        kind: TransportKind, isInContent: Bool
    ) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", isInContent ? .generated(size: 1_000_000).stalling(after: 500_000) : .silence)
        let recorder = EventRecorder()
        let handle = bench.transport.start(bench.exchange(), receiver: recorder)
        await bench.server.wait { $0.requests == 1 }
        if isInContent { await recorder.wait { $0.bodyLength > 0 } }
        handle.cancel()
        let transcript = await recorder.outcome()
        #expect(transcript.error?.code == .cancelled)
        #expect((transcript.head != nil) == isInContent)
        // The connection is gone, as the answer could still come over it.
        await bench.server.wait { $0.openConnections == 0 }
        await bench.settle()
    }

    @Test(arguments: TransportKind.allCases)
    func `Cancelling inside the head's callback completes the exchange as cancelled`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        let gate = Gate()
        bench.server.serve("/", .generated(size: 1_000_000).gated(by: gate).stalling(after: 500_000))
        let handle = Guarded<(any ExchangeHandle)?>(nil)
        let recorder = EventRecorder(onHead: { _ in
            handle.withLock { $0 }?.cancel()
            return .proceed
        })
        let started = bench.transport.start(bench.exchange(), receiver: recorder)
        handle.withLock { $0 = started }
        gate.open()
        let transcript = await recorder.outcome()
        #expect(transcript.error?.code == .cancelled)
        #expect(transcript.head != nil)
        await bench.settle()
    }

    @Test(arguments: TransportKind.allCases)
    func `Cancelling in the request's content completes the exchange as cancelled`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        let gate = Gate()
        bench.server.serve("/", .text("done").gated(by: gate, at: .beforeRequestBody))
        let recorder = EventRecorder()
        let exchange = bench.exchange(method: "PUT", body: TestBody(size: 16 << 20))
        let handle = bench.transport.start(exchange, receiver: recorder)
        await recorder.wait { !$0.sent.isEmpty }
        handle.cancel()
        #expect(await recorder.outcome().error?.code == .cancelled)
        gate.open()
        await bench.settle()
    }

    @Test(
        arguments: TransportKind.allCases, [ScriptedResponse.text("Hello"), .generated(size: 300_000), .silentContent])
    func `Stopping at the head lets no content arrive`(kind: TransportKind, response: ScriptedResponse) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", response)
        for _ in 0..<10 {
            let transcript = await bench.run(bench.exchange(), EventRecorder(onHead: { _ in .stop }))
            #expect(transcript.error?.code == .cancelled)
            #expect(transcript.head?.statusCode == 200)
            #expect(transcript.bodyLength == 0)
        }
        await bench.settle()
    }

    @Test(
        arguments: TransportKind.allCases,
        [ScriptedResponse.text("Hello"), .generated(size: 3_000_000), .silentContent])
    func `Stopping in the content lets no more arrive`(kind: TransportKind, response: ScriptedResponse) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", response)
        for _ in 0..<10 {
            let calls = Atomic(0)
            let recorder = EventRecorder(onBody: { _ in
                calls.add(1, ordering: .relaxed)
                return .stop
            })
            #expect(await bench.run(bench.exchange(), recorder).error?.code == .cancelled)
            #expect(calls.load(ordering: .relaxed) == 1)
        }
        await bench.settle()
    }

    @Test(arguments: TransportKind.allCases)
    func `Cancelling after the completion does nothing`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", .text("Hello"))
        let recorder = EventRecorder()
        let handle = bench.transport.start(bench.exchange(), receiver: recorder)
        #expect(await recorder.outcome().hasSucceeded)
        handle.cancel()
        handle.cancel()
        await bench.settle()
        #expect(recorder.transcript.error == nil)
    }

    @Test(arguments: TransportKind.allCases)
    func `Cancelling from four threads, twice each, completes the exchange as cancelled`(kind: TransportKind)
        async throws
    {
        let bench = try TransportBench(kind)
        let gate = Gate()
        bench.server.serve("/", .text("Hello").gated(by: gate))
        for round in 1...20 {
            let recorder = EventRecorder()
            let handle = bench.transport.start(bench.exchange(), receiver: recorder)
            if !round.isMultiple(of: 4) { await gate.waitForArrival(count: round - round / 4) }
            await withTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        handle.cancel()
                        handle.cancel()
                    }
                }
            }
            #expect(await recorder.outcome().error?.code == .cancelled)
        }
        gate.open()
        await bench.settle()
    }

    @Test(arguments: TransportKind.allCases)
    func `Cancelling in the race with the response completes the exchange once`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", .generated(size: 20_000).chunked(size: 3000))
        for _ in 0..<50 {
            let recorder = EventRecorder()
            let handle = bench.transport.start(bench.exchange(), receiver: recorder)
            await recorder.wait { $0.head != nil }
            handle.cancel()
            let transcript = await recorder.outcome()
            #expect(transcript.error == nil || transcript.error?.code == .cancelled)
            if transcript.error == nil { #expect(transcript.bodyLength == 20_000) }
        }
        await bench.settle()
    }
}

extension ScriptedResponse {
    /// A head, a bit of content, and then nothing more.
    fileprivate static let silentContent = ScriptedResponse.generated(size: 1000).stalling(after: 500)
}
