import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Testing

extension TransportConformanceTests {
    /// Short, and no whole number of seconds: Foundation's and some of libcurl's timeouts know nothing finer.
    private static let timeout = Duration.milliseconds(300)

    @Test(
        arguments: TransportKind.allCases,
        [(.silence, nil), (.generated(size: 100_000).stalling(after: 5000), 200)] as [(ScriptedResponse, Int?)])
    func `Silence before the head or in the content times out`(
        kind: TransportKind, silent: (response: ScriptedResponse, status: Int?)
    ) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", silent.response)
        let transcript = await expectTimeout { await bench.run(bench.exchange(idleTimeout: Self.timeout)) }
        #expect(transcript.head?.statusCode == silent.status)
        await bench.settle()
    }

    @Test(arguments: TransportKind.allCases)
    func `The configuration's timeouts are the default`(kind: TransportKind) async throws {
        var configuration = TransportConfiguration()
        configuration.idleTimeout = Self.timeout
        let idle = try TransportBench(kind, configuration)
        idle.server.serve("/", .silence)
        await expectTimeout { await idle.get() }
        configuration = TransportConfiguration()
        configuration.totalTimeout = Self.timeout
        let total = try TransportBench(kind, configuration)
        total.server.serve("/", .silence)
        await expectTimeout { await total.get() }
    }

    @Test(arguments: TransportKind.allCases)
    func `The total timeout ends an exchange that goes on`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", .generated(size: 10_000_000).paced(bytesPerSecond: 100_000))
        await expectTimeout { await bench.run(bench.exchange(totalTimeout: Self.timeout)) }
        await bench.settle()
    }

    @Test(arguments: TransportKind.allCases)
    func `A slow but steady server does not time out`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        bench.server.serve("/", .generated(size: 100_000).paced(bytesPerSecond: 100_000))
        let transcript = await bench.run(bench.exchange(idleTimeout: .milliseconds(600)))
        #expect(transcript.hasSucceeded)
        #expect(transcript.bodyLength == 100_000)
    }

    @Test(arguments: TransportKind.allCases)
    func `The time in which a transport had nothing to do does not count toward its timeouts`(kind: TransportKind)
        async throws
    {
        let bench = try TransportBench(kind)
        await bench.settle()
        // Another transport passes the time.
        let other = try TransportBench(kind)
        #expect(await other.get(.text("late").delayed(head: .milliseconds(700))).hasSucceeded)
        bench.server.serve("/", .text("Hello").delayed(head: .milliseconds(50)))
        let exchange = bench.exchange(idleTimeout: .milliseconds(600), totalTimeout: .milliseconds(600))
        #expect(await bench.run(exchange).hasSucceeded)
    }

    @Test(arguments: TransportKind.allCases)
    func `One exchange's timeout leaves the others alone`(kind: TransportKind) async throws {
        let bench = try TransportBench(kind)
        let gate = Gate()
        bench.server.serve("/", .text("Hello").gated(by: gate))
        let patient = EventRecorder()
        _ = bench.transport.start(bench.exchange(), receiver: patient)
        await expectTimeout { await bench.run(bench.exchange(idleTimeout: Self.timeout)) }
        gate.open()
        #expect(await patient.outcome().hasSucceeded)
    }

    @Test(arguments: TransportKind.allCases)
    func `Very long timeouts are as good as none`(kind: TransportKind) async throws {
        var configuration = TransportConfiguration()
        configuration.connectTimeout = .seconds(Int64.max / 4)
        let bench = try TransportBench(kind, configuration)
        bench.server.serve("/", .text("Hello"))
        for timeout in [Duration.seconds(1_000_000_000), .seconds(Int64.max / 4)] {
            #expect(await bench.run(bench.exchange(idleTimeout: timeout, totalTimeout: timeout)).hasSucceeded)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `The connect timeout covers the TLS handshake`(kind: TransportKind) async throws {
        var configuration = TransportConfiguration.patient
        configuration.connectTimeout = Self.timeout
        // Foundation has no connect timeout to offer, see KnownLimitation.
        if kind.has(.ignoresConnectTimeout) { configuration.idleTimeout = Self.timeout }
        let bench = try TransportBench(kind, configuration)
        #if os(Linux)
            // The server would answer an empty line, which is among the random bytes of one handshake in thirty.
            let host = try UnresponsiveHost(connects: true)
            defer { withExtendedLifetime(host) {} }
            let port = try #require(host.url.port)
        #else
            let port = bench.server.port
        #endif
        let url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
        await expectTimeout { await bench.run(HTTPExchange(url: url)) }
    }

    #if os(Linux)
        @Test(arguments: TransportKind.allCases)
        func `The connect timeout ends an exchange that finds no connection`(kind: TransportKind) async throws {
            guard !kind.has(.ignoresConnectTimeout) else { return }
            var configuration = TransportConfiguration()
            configuration.connectTimeout = Self.timeout
            let transport = try kind.makeTransport(configuration)
            let host = try UnresponsiveHost()
            await expectTimeout {
                let recorder = EventRecorder()
                _ = transport.start(HTTPExchange(url: host.url), receiver: recorder)
                return await recorder.outcome()
            }
        }

        @Test(arguments: TransportKind.allCases)
        func `The idle timeout covers connecting, too`(kind: TransportKind) async throws {
            let transport = try kind.makeTransport()
            let host = try UnresponsiveHost()
            await expectTimeout {
                let recorder = EventRecorder()
                _ = transport.start(HTTPExchange(url: host.url, idleTimeout: Self.timeout), receiver: recorder)
                return await recorder.outcome()
            }
        }
    #endif

    /// Runs an exchange and expects that it ends with a timeout, not before ``timeout`` and not long after.
    @discardableResult
    private func expectTimeout(
        sourceLocation: SourceLocation = #_sourceLocation, _ run: () async -> Transcript
    ) async -> Transcript {
        let start = ContinuousClock.now
        let transcript = await run()
        let elapsed = start.duration(to: .now)
        #expect(transcript.error?.code == .timedOut, sourceLocation: sourceLocation)
        #expect(elapsed >= Self.timeout, sourceLocation: sourceLocation)
        #expect(elapsed < .seconds(2), sourceLocation: sourceLocation)
        return transcript
    }
}
