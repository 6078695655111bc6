import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

extension TransportConformanceTests {
    @Test(arguments: TransportKind.allCases)
    func `A receiver that asks for a pause gets nothing more until it resumes`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        let content = GeneratedContent(size: 8 << 20, seed: 3)
        bench.server.serve("/", .generated(size: content.size, seed: content.seed))
        let verifier = Guarded(content.verifier())
        let portions = Gathering<Int>()
        let recorder = EventRecorder(onBody: { bytes in
            verifier.withLock { $0.update(bytes) }
            portions.add(bytes.count)
            return portions.values.count <= 5 ? .pause : .proceed
        })
        let handle = bench.transport.start(bench.exchange(), receiver: recorder)
        for count in 1...5 {
            _ = await portions.wait(count: count)
            // Others go on meanwhile; by the time that they are through, so would this one be.
            await bench.other()
            #expect(portions.values.count == count)
            #expect(!recorder.transcript.isComplete)
            handle.resume()
        }
        let transcript = await recorder.outcome()
        #expect(transcript.hasSucceeded && transcript.bodyLength == content.size)
        #expect(verifier.withLock { $0.isComplete })
        handle.resume()
    }

    @Test(arguments: TransportKind.allCases)
    func `A pause can be asked for with the head, and resumed before it has been granted`(
        kind: TransportKind
    ) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", .text("Hello"))
        let handle = Guarded<(any ExchangeHandle)?>(nil)
        let started = Gathering<Bool>()
        let recorder = EventRecorder(
            onHead: { _ in
                started.add(true)
                return .pause
            },
            onBody: { _ in
                handle.withLock { $0 }?.resume()
                return .pause
            })
        let first = bench.transport.start(bench.exchange(), receiver: recorder)
        handle.withLock { $0 = first }
        _ = await started.wait(count: 1)
        await bench.other()
        #expect(recorder.transcript.bodyLength == 0 && !recorder.transcript.isComplete)
        first.resume()
        #expect(await recorder.outcome().text == "Hello")
    }

    /// With more content on the way, or with a pause that the latest bytes have brought.
    @Test(arguments: TransportKind.allCases)
    func `A paused exchange can be cancelled, and does not time out for silence`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/more", .generated(size: 8 << 20))
        bench.server.serve("/latest", .generated(size: 4000).stalling(after: 2000))
        var paused: [(recorder: EventRecorder, handle: any ExchangeHandle)] = []
        for path in ["/more", "/latest"] {
            let recorder = EventRecorder(onBody: { _ in .pause })
            let exchange = bench.exchange(path, idleTimeout: .milliseconds(500))
            paused.append((recorder, bench.transport.start(exchange, receiver: recorder)))
        }
        var lengths: [Int64] = []
        for (recorder, _) in paused { lengths.append(await recorder.wait { $0.bodyLength > 0 }.bodyLength) }
        // An exchange that takes longer than the timeout.
        bench.server.serve("/slow", .text("slow").delayed(head: .seconds(1)))
        #expect(await bench.run(bench.exchange("/slow")).hasSucceeded)
        for ((recorder, handle), length) in zip(paused, lengths) {
            #expect(!recorder.transcript.isComplete)
            handle.cancel()
            let transcript = await recorder.outcome()
            #expect(transcript.error?.code == .cancelled && transcript.bodyLength == length)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `An exchange can be paused while its server is silent, and does not time out until it is resumed`(
        kind: TransportKind
    ) async throws {
        let bench = try TransportBench(kind)
        let gate = Gate()
        bench.server.serve("/", .generated(size: 4000).gated(by: gate, at: .afterBody(2000)))
        let recorder = EventRecorder()
        let handle = bench.transport.start(bench.exchange(idleTimeout: .milliseconds(500)), receiver: recorder)
        await recorder.wait { $0.bodyLength == 2000 }
        handle.pause()
        handle.pause()
        // An exchange that takes longer than the timeout.
        bench.server.serve("/slow", .text("slow").delayed(head: .seconds(1)))
        #expect(await bench.run(bench.exchange("/slow")).hasSucceeded)
        #expect(!recorder.transcript.isComplete && recorder.transcript.bodyLength == 2000)
        gate.open()
        await bench.other()
        #expect(recorder.transcript.bodyLength == 2000)
        handle.resume()
        #expect(await recorder.outcome().bodyLength == 4000)
        handle.pause()
    }

    @Test(arguments: TransportKind.allCases)
    func `An exchange that was paused and resumed times out if its server stays silent`(
        kind: TransportKind
    ) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", .generated(size: 4000).stalling(after: 2000))
        let recorder = EventRecorder()
        let handle = bench.transport.start(bench.exchange(idleTimeout: .milliseconds(500)), receiver: recorder)
        await recorder.wait { $0.bodyLength == 2000 }
        handle.pause()
        handle.resume()
        #expect(await recorder.outcome().error?.code == .timedOut)
    }

    #if canImport(Glibc)
        @Test func `A paused exchange leaves the rest with the server`() async throws {
            let bench = try TransportBench(.curl)
            let gate = Gate()
            // More than any socket buffers: the server gets there only when the client reads.
            bench.server.serve("/", .generated(size: 64 << 20).gated(by: gate, at: .afterBody(48 << 20)))
            let bodies = Gathering<Bool>()
            let recorder = EventRecorder(onBody: { _ in
                bodies.add(true)
                return bodies.values.count == 1 ? .pause : .proceed
            })
            let handle = bench.transport.start(bench.exchange(), receiver: recorder)
            _ = await bodies.wait(count: 1)
            await bench.other()
            #expect(gate.arrivalCount == 0)
            handle.resume()
            #expect(await gate.waitForArrival())
            gate.open()
            #expect(await recorder.outcome().hasSucceeded)
        }

        @Test(arguments: [false, true], [16_384, 5_000])
        func `An exchange moves a portion each time that its pacer allows one`(
            isUpload: Bool, portion: Int
        ) async throws {
            let bench = try TransportBench(.curl)
            let content = GeneratedContent(size: 100_000, seed: 5)
            bench.server.serve("/", isUpload ? .text("done") : .generated(size: content.size, seed: content.seed))
            let pacer = ManualPacer(portion: portion)
            var exchange = bench.exchange(
                method: isUpload ? "PUT" : "GET", body: isUpload ? TestBody(size: 100_000) : nil)
            exchange.pacer = pacer
            let recorder = EventRecorder()
            _ = bench.transport.start(exchange, receiver: recorder)
            var moved = 0
            while moved < 100_000 {
                // It has been told to wait for what it has moved.
                await pacer.waitForRefusal(of: moved)
                #expect(pacer.charged == moved)
                pacer.allow(moved)
                moved = await pacer.waitForCharge(above: moved)
            }
            pacer.allow(.max)
            let transcript = await recorder.outcome()
            #expect(transcript.hasSucceeded)
            if !isUpload { #expect(transcript.body == Data(content.bytes(in: 0..<content.size))) }
            #expect(pacer.largestCharge <= portion)
            // The response to an upload is content, too.
            #expect(pacer.charged == (isUpload ? 100_004 : 100_000))
        }
    #endif
}

extension TransportBench {
    /// Runs another exchange of some length to its end.
    fileprivate func other() async {
        server.serve("/other", .generated(size: 4 << 20))
        #expect(await get("/other").hasSucceeded)
    }
}
