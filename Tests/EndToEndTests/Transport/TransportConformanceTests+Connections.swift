import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

extension TransportConformanceTests {
    @Test(arguments: TransportKind.allCases)
    func `Exchanges in a row use one connection`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", .text("Hello"))
        for number in 0..<50 {
            let method = ["GET", "POST", "HEAD", "DELETE"][number % 4]
            #expect(await bench.run(bench.exchange(method: method)).hasSucceeded)
        }
        #expect(bench.server.connectionCount == 1)
        #expect(bench.server.requestCount("/") == 50)
    }

    #if canImport(Glibc)
        @Test func `A connection that has been idle for too long is replaced`() async throws {
            var configuration = TransportConfiguration.patient
            configuration.maxConnectionIdleTime = .milliseconds(600)
            let bench = try TransportBench(.curl, configuration)
            bench.server.serve("/", .text("Hello"))
            // Rounded up to a second; libcurl counts whole seconds, so the wait is more than two.
            let slow = try LoopbackServer()
            slow.serve("/", .text("slow").delayed(head: .milliseconds(2100)))
            #expect(await bench.get().text == "Hello")
            #expect(await bench.run(HTTPExchange(url: slow.url("/"))).text == "slow")
            #expect(await bench.get().text == "Hello")
            #expect(bench.server.connectionCount == 2)
        }
    #endif

    @Test(arguments: TransportKind.allCases)
    func `A connection that the server has closed is replaced`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", .text("Hello"))
        for _ in 0..<3 {
            for method in ["GET", "POST"] {
                let body = method == "POST" ? TestBody("content") : nil
                #expect(await bench.run(bench.exchange(method: method, body: body)).hasSucceeded)
                bench.server.closeIdleConnections()
                await bench.server.wait { $0.openConnections == 0 && $0.closingConnections == 0 }
            }
        }
        #expect(bench.server.connectionCount == 6)
    }

    @Test(arguments: TransportKind.allCases)
    func `A response that announces the end of its connection is whole`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        for _ in 0..<3 { #expect(await bench.get(.text("Hello").closing()).text == "Hello") }
        #expect(bench.server.connectionCount == 3)
    }

    @Test(arguments: TransportKind.allCases)
    func `A transport runs 64 exchanges at once`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        let gate = Gate()
        bench.server.serve("/*", .echo.gated(by: gate))
        let recorders = (0..<64).map { _ in EventRecorder() }
        for (number, recorder) in recorders.enumerated() {
            _ = bench.transport.start(bench.exchange("/\(number)"), receiver: recorder)
        }
        #expect(await gate.waitForArrival(count: 64))
        gate.open()
        for (number, recorder) in recorders.enumerated() {
            let transcript = await recorder.outcome()
            #expect(transcript.hasSucceeded)
            #expect(try JSONDecoder().decode(Echo.self, from: transcript.body).path == "/\(number)")
        }
        #expect(bench.server.peakConcurrentRequestCount == 64)
    }

    @Test(arguments: TransportKind.allCases)
    func `No exchange is overlooked that comes while others are answered fast`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        let gate = Gate()
        bench.server.serve("/", .text("Hello"))
        bench.server.serve("/never", .text("Hello").gated(by: gate))
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    // One after the other, each started by another thread than the one that told of the one before.
                    for _ in 0..<80 {
                        let transcript = await bench.get()
                        guard transcript.hasSucceeded else { return false }
                    }
                    return true
                }
            }
            group.addTask {
                for _ in 0..<80 {
                    let recorder = EventRecorder()
                    bench.transport.start(bench.exchange("/never"), receiver: recorder).cancel()
                    guard await recorder.outcome().error?.code == .cancelled else { return false }
                }
                return true
            }
            for await hasSucceeded in group { #expect(hasSucceeded) }
        }
        gate.open()
        #expect(bench.server.requestCount("/") == 240)
    }

    @Test(arguments: TransportKind.allCases)
    func `A completion can start the next exchange`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", .text("Hello"))
        let chain = ExchangeChain(bench.transport, bench.exchange(), count: 300)
        #expect(await chain.run().hasSucceeded)
        #expect(bench.server.requestCount("/") == 300)
        // Foundation gives a connection back after it has told the completion: two take turns.
        #expect(bench.server.connectionCount <= 2)
    }

    @Test(arguments: TransportKind.allCases)
    func `Exchanges complete once when their transport is released`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        let gate = Gate()
        bench.server.serve("/", .text("Hello").gated(by: gate))
        let recorders = (0..<8).map { _ in EventRecorder() }
        var transport: (any Transport)? = try kind.makeTransport()
        for recorder in recorders { _ = transport?.start(bench.exchange(), receiver: recorder) }
        #expect(await gate.waitForArrival(count: 8))
        transport = nil
        gate.open()
        for recorder in recorders {
            let transcript = await recorder.outcome()
            #expect(transcript.error == nil || transcript.error?.code == .cancelled)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `A handle may outlive its transport`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        let gate = Gate()
        bench.server.serve("/", .text("Hello").gated(by: gate))
        let recorder = EventRecorder()
        var transport: (any Transport)? = try kind.makeTransport()
        let handle = transport?.start(bench.exchange(), receiver: recorder)
        #expect(await gate.waitForArrival())
        transport = nil
        handle?.cancel()
        #expect(await recorder.outcome().error?.code == .cancelled)
        handle?.cancel()
    }

    @Test(arguments: TransportKind.allCases)
    func `A transport that was never used is released`(kind: TransportKind) async throws {
        for _ in 0..<20 {
            var transport: AnyObject? = try kind.makeTransport() as AnyObject
            weak var kept: AnyObject?
            kept = transport
            withExtendedLifetime(transport) { #expect(kept is any Transport) }
            transport = nil
            #expect(await eventually { kept == nil })
        }
    }
}

/// Exchanges of which each is started by the completion of the one before.
final class ExchangeChain: Sendable {
    private let transport: any Transport
    private let exchange: HTTPExchange
    private let remaining: Guarded<Int>
    private let last = EventRecorder()

    init(_ transport: any Transport, _ exchange: HTTPExchange, count: Int) {
        self.transport = transport
        self.exchange = exchange
        remaining = Guarded(count)
    }

    /// Runs them all, and returns what the last one's receiver was told.
    func run() async -> Transcript {
        startNext()
        return await last.outcome()
    }

    private func startNext() {
        let remaining = remaining.withLock { remaining in
            remaining -= 1
            return remaining
        }
        let recorder = remaining == 0 ? last : EventRecorder(onCompletion: startNext)
        _ = transport.start(exchange, receiver: recorder)
    }
}
