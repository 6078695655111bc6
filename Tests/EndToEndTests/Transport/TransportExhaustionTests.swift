#if canImport(Glibc)
    import Foundation
    import LoopbackHTTP
    import TestSupport
    import Testing

    @testable import NetworkQueueKit

    /// A moment in which the system has no descriptor or thread to give fails the exchanges of that moment, and no
    /// later one.
    @Suite(.serialized, .timeLimit(.minutes(10)))
    struct TransportExhaustionTests {
        private func transport(_ system: CurlLoop.System) -> CurlTransport {
            CurlTransport(configuration: .patient, loop: CurlLoop(configuration: .patient, system: system))
        }

        @Test(arguments: [true, false])
        func `A transport without a thread or descriptors completes each exchange once, and then goes on`(
            lacksThread: Bool
        ) async throws {
            try #require(CurlTransport.isAvailable)
            let isShort = Guarded(true)
            var system = CurlLoop.System()
            if lacksThread {
                system.startThread = { [start = system.startThread] in isShort.withLock { $0 } ? EAGAIN : start($0) }
            } else {
                system.makeMulti = { [make = system.makeMulti] in isShort.withLock { $0 } ? nil : make() }
            }
            let transport = transport(system)
            let server = try LoopbackServer()
            server.serve("/", .text("here"))
            for _ in 0..<3 {
                let recorders = (0..<10).map { _ in EventRecorder() }
                for recorder in recorders {
                    let handle = transport.start(HTTPExchange(url: server.url), receiver: recorder)
                    if lacksThread { handle.cancel() }
                }
                for recorder in recorders {
                    let error = await recorder.outcome().error
                    #expect(error?.code == .resourceUnavailable)
                    if lacksThread { #expect(error?.localizedDescription.contains("thread") == true) }
                }
            }
            isShort.withLock { $0 = false }
            let recorder = EventRecorder()
            _ = transport.start(HTTPExchange(url: server.url), receiver: recorder)
            #expect(await recorder.outcome().text == "here")
        }

        @Test
        func `A transport without a thread ends exchanges started from the end of one without nesting them`()
            async throws
        {
            try #require(CurlTransport.isAvailable)
            let attempts = Guarded(0)
            var system = CurlLoop.System()
            system.startThread = { _ in
                attempts.withLock { $0 += 1 }
                return EAGAIN
            }
            let transport = transport(system)
            let url = try #require(URL(string: "http://127.0.0.1:1/"))
            let chain = ExchangeChain(transport, HTTPExchange(url: url), count: 20_000)
            #expect(await chain.run().error?.code == .resourceUnavailable)
            #expect(attempts.withLock { $0 } == 20_000)
        }

        @Test func `A process without descriptors fails a transport's first exchange and no later one`() async {
            await #expect(processExitsWith: .success) {
                let want = try await DescriptorWant(isWarm: false)
                guard want.failure(of: want.upload)?.code == .resourceUnavailable else { exit(1) }
                want.end()
                // It would wait for ever, were the thread not to wake.
                for _ in 0..<3 { guard want.start(want.server.url).wait() == nil else { exit(2) } }
            }
        }

        @Test func `A transport without a descriptor for a connection fails the exchange and no later one`() async {
            await #expect(processExitsWith: .success) {
                let want = try await DescriptorWant()
                let error = want.failure(of: want.upload)
                guard error?.code == .resourceUnavailable else { exit(1) }
                guard error?.localizedDescription.contains("No file descriptor is free") == true else { exit(2) }
                want.end()
                guard want.start(want.server.url).wait() == nil else { exit(3) }
            }
        }

        @Test func `A lack of descriptors for a look-up is told from a name that is not found`() async {
            await #expect(processExitsWith: .success) {
                let want = try await DescriptorWant(sparing: 2)
                let url = try #require(URL(string: "http://nowhere.invalid/"))
                guard want.failure(of: HTTPExchange(url: url))?.code == .resourceUnavailable else { exit(1) }
                want.end()
                guard want.start(url).wait()?.code == .cannotFindHost else { exit(2) }
            }
        }
    }

    /// A process without a free descriptor, with a server and a transport. For exit tests.
    ///
    /// Unchecked: an exit test uses it one call after the other.
    private final class DescriptorWant: @unchecked Sendable {
        private let transport: CurlTransport
        let server: LoopbackServer
        private let taken: TakenDescriptors

        /// - Parameters:
        ///   - isWarm: whether the transport has had an exchange.
        ///   - sparing: how many descriptors are free all the same.
        init(isWarm: Bool = true, sparing: Int = 0) async throws {
            taken = TakenDescriptors(sparing: sparing)
            // Everything that needs a descriptor of its own is there before they run out.
            server = try LoopbackServer()
            server.serve("/", .text("here"))
            transport = try #require(CurlTransport(configuration: .patient))
            if isWarm {
                // A connection that is refused leaves nothing behind.
                let refused = try #require(URL(string: "http://127.0.0.1:1/"))
                guard start(refused).wait()?.code == .cannotConnectToHost else { exit(101) }
            }
        }

        func start(_ url: URL) -> BlockingReceiver {
            let receiver = BlockingReceiver()
            _ = transport.start(HTTPExchange(url: url), receiver: receiver)
            return receiver
        }

        /// An exchange with the server whose receiver hears of its connection.
        var upload: HTTPExchange {
            HTTPExchange(url: server.url, method: "POST", body: DataBody(data: Data("content".utf8)))
        }

        /// Takes all descriptors, and returns how an exchange fails.
        func failure(of exchange: HTTPExchange) -> URLError? {
            taken.untilNoneIsFree {
                let receiver = BlockingReceiver()
                let handle = transport.start(exchange, receiver: receiver)
                while !receiver.isComplete, !receiver.hasSent { sched_yield() }
                guard receiver.hasSent else { return receiver.wait() }
                // It has found a descriptor, and would wait for the server, which is in this process and has none to
                // accept it with.
                handle.cancel()
                _ = receiver.wait()
                return nil
            }
        }

        func end() { taken.release() }
    }
#endif
