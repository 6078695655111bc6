#if canImport(Glibc)
    import Foundation
    import LoopbackServer
    import TestSupport
    import Testing

    @testable import NetworkQueueKit

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// A moment in which the system has no descriptor to give delays exchanges; one in which it has no thread fails those of that moment, and no
    /// later one.
    @Suite("A transport in want", .serialized, .timeLimit(.minutes(10)))
    struct TransportExhaustionTests {
        private func transport(_ system: CurlLoop.System) -> CurlTransport {
            CurlTransport(configuration: .patient, loop: CurlLoop(configuration: .patient, system: system))
        }

        @Test func `of a thread completes each exchange once, and goes on when there are threads again`() async throws {
            try #require(CurlTransport.isAvailable)
            let isShort = Guarded(true)
            var system = CurlLoop.System()
            system.startThread = { [start = system.startThread] loop in
                isShort.withLock { $0 } ? EAGAIN : start(loop)
            }
            let transport = transport(system)
            let server = try LoopbackServer()
            server.serve("/", .text("here"))
            for _ in 0..<3 {
                let recorder = EventRecorder()
                let handle = transport.start(HTTPExchange(url: server.url), receiver: recorder)
                handle.cancel()
                let error = await recorder.outcome().error
                #expect(error?.code == .resourceUnavailable)
                #expect(error?.localizedDescription.contains("thread") == true)
            }
            isShort.withLock { $0 = false }
            let recorder = EventRecorder()
            _ = transport.start(HTTPExchange(url: server.url), receiver: recorder)
            #expect(await recorder.outcome().text == "here")
        }

        @Test func `of a thread ends exchanges that are started from the end of one without nesting them`() async throws
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
            let chain = Chain(count: 100_000) { transport.start(HTTPExchange(url: url), receiver: $0) }
            chain.start()
            #expect(chain.completions == 100_000 && attempts.withLock { $0 } == 100_000)
        }

        @Test func `of descriptors for itself waits until there are some`() async throws {
            try #require(CurlTransport.isAvailable)
            let tries = Gathering<Bool>()
            let isShort = Guarded(true)
            var system = CurlLoop.System()
            system.makeMulti = { [make = system.makeMulti] in
                tries.add(true)
                return isShort.withLock { $0 } ? nil : make()
            }
            let transport = transport(system)
            let server = try LoopbackServer()
            server.serve("/", .text("here"))
            let recorders = (0..<10).map { _ in EventRecorder() }
            let handles = recorders.map { transport.start(HTTPExchange(url: server.url), receiver: $0) }
            _ = await tries.wait(count: 3)
            handles[3].cancel()
            #expect(await recorders[3].outcome().error?.code == .cancelled)
            var exchange = HTTPExchange(url: server.url)
            exchange.totalTimeout = .milliseconds(1)
            let late = EventRecorder()
            _ = transport.start(exchange, receiver: late)
            #expect(await late.outcome().error?.code == .timedOut)
            isShort.withLock { $0 = false }
            for (number, recorder) in recorders.enumerated() where number != 3 {
                #expect(await recorder.outcome().text == "here")
            }
        }

        @Test func `of descriptors for itself fails after connectTimeout, and ends with its last reference`()
            async throws
        {
            try #require(CurlTransport.isAvailable)
            let isShort = Guarded(true)
            var system = CurlLoop.System()
            system.makeMulti = { [make = system.makeMulti] in isShort.withLock { $0 } ? nil : make() }
            // Other tests run requests meanwhile.
            system.runsOthers = { false }
            var configuration = TransportConfiguration.patient
            configuration.connectTimeout = .milliseconds(100)
            let transport = CurlTransport(
                configuration: configuration, loop: CurlLoop(configuration: configuration, system: system))
            let server = try LoopbackServer()
            server.serve("/", .text("here"))
            let recorders = (0..<10).map { _ in EventRecorder() }
            for recorder in recorders { _ = transport.start(HTTPExchange(url: server.url), receiver: recorder) }
            for recorder in recorders { #expect(await recorder.outcome().error?.code == .resourceUnavailable) }
            isShort.withLock { $0 = false }
            let recorder = EventRecorder()
            _ = transport.start(HTTPExchange(url: server.url), receiver: recorder)
            #expect(await recorder.outcome().text == "here")
            isShort.withLock { $0 = true }
            let orphan = EventRecorder()
            do {
                let other = self.transport(system)
                _ = other.start(HTTPExchange(url: server.url), receiver: orphan)
            }
            #expect(await orphan.outcome().error?.code == .cancelled)
        }

        @Test func `of real descriptors is no different`() async {
            await #expect(processExitsWith: .success) {
                let want = try await DescriptorWant(isWarm: false)
                let waiting = want.starve(want.upload)
                want.end()
                guard waiting.receiver.wait() == nil else { exit(1) }
                // It would wait for ever, were the thread not to wake.
                for _ in 0..<3 { guard want.start(want.server.url).wait() == nil else { exit(2) } }
            }
        }

        @Test func `of a descriptor for a connection waits until there is one`() async {
            await #expect(processExitsWith: .success) {
                let want = try await DescriptorWant()
                let waiting = want.starve(want.upload)
                want.end()
                guard waiting.receiver.wait() == nil else { exit(1) }
            }
        }

        @Test func `of descriptors for a look-up waits until there are enough`() async {
            await #expect(processExitsWith: .success) {
                let want = try await DescriptorWant(sparing: 2)
                let url = try #require(URL(string: "http://nowhere.invalid/"))
                let waiting = want.starve(HTTPExchange(url: url))
                want.end()
                guard waiting.receiver.wait()?.code == .cannotFindHost else { exit(1) }
            }
        }

        @Test func `of a descriptor for a connection gets those of connections that no exchange uses`() async {
            await #expect(processExitsWith: .success) {
                // For a connection, and for one of the server's, which is in this process.
                let want = try await DescriptorWant(idleCount: 4)
                guard want.start(want.server.url).wait() == nil else { exit(1) }
            }
        }

        @Test func `of a descriptor for a connection fails after connectTimeout when nothing runs that could free one`()
            async
        {
            await #expect(processExitsWith: .success) {
                let want = try await DescriptorWant(connectTimeout: .milliseconds(200))
                let (error, time) = want.failure()
                guard error?.code == .resourceUnavailable else { exit(1) }
                guard time >= .milliseconds(200) else { exit(2) }
                guard error?.localizedDescription.contains("No file descriptor is free") == true else { exit(3) }
                want.end()
                guard want.start(want.server.url).wait() == nil else { exit(4) }
            }
        }

        @Test func `of a descriptor for a connection is cancelled, and timed out, while it waits`() async {
            await #expect(processExitsWith: .success) {
                let want = try await DescriptorWant()
                let waiting = want.starve(want.upload)
                waiting.handle.cancel()
                guard waiting.receiver.wait()?.code == .cancelled else { exit(1) }
                var upload = want.upload
                upload.totalTimeout = .milliseconds(100)
                let late = want.starve(upload)
                guard late.receiver.wait()?.code == .timedOut else { exit(2) }
                let last = want.starve(want.upload)
                want.dropTransport()
                guard last.receiver.wait()?.code == .cancelled else { exit(3) }
            }
        }
    }

    /// A process without a free descriptor, with a server and a transport. For exit tests.
    ///
    /// Unchecked: an exit test uses it one call after the other.
    private final class DescriptorWant: @unchecked Sendable {
        typealias Started = (receiver: BlockingReceiver, handle: any ExchangeHandle)

        private var transport: CurlTransport?
        let server: LoopbackServer
        private var idleServers: [LoopbackServer] = []
        private let taken: TakenDescriptors

        /// - Parameters:
        ///   - isWarm: whether the transport has had an exchange.
        ///   - idleCount: how many connections it has that no exchange uses.
        ///   - sparing: how many descriptors are free all the same.
        init(
            connectTimeout: Duration = .seconds(60), isWarm: Bool = true, idleCount: Int = 0, sparing: Int = 0
        ) async throws {
            taken = TakenDescriptors(sparing: sparing)
            // Everything that needs a descriptor of its own is there before they run out.
            server = try LoopbackServer()
            server.serve("/", .text("here"))
            var configuration = TransportConfiguration.patient
            configuration.connectTimeout = connectTimeout
            transport = CurlTransport(configuration: configuration)
            for _ in 0..<idleCount {
                let server = try LoopbackServer()
                server.serve("/", .text("here"))
                guard start(server.url).wait() == nil else { exit(100) }
                idleServers.append(server)
            }
            if isWarm, idleCount == 0 {
                // A connection that is refused leaves nothing behind.
                let refused = try #require(URL(string: "http://127.0.0.1:1/"))
                guard start(refused).wait()?.code == .cannotConnectToHost else { exit(101) }
            }
            taken.take()
        }

        func start(_ url: URL) -> BlockingReceiver { start(HTTPExchange(url: url)).receiver }

        private func start(_ exchange: HTTPExchange) -> Started {
            guard let transport else { exit(102) }
            let receiver = BlockingReceiver()
            return (receiver, transport.start(exchange, receiver: receiver))
        }

        /// An exchange with the server whose receiver hears of its connection.
        var upload: HTTPExchange {
            HTTPExchange(url: server.url, method: "POST", body: DataBody(data: Data("content".utf8)))
        }

        /// Starts an exchange that waits for a descriptor. Ends the process when it fails for want of one instead.
        func starve(_ exchange: HTTPExchange) -> Started {
            taken.untilNoneIsFree {
                let started = start(exchange)
                let receiver = started.receiver
                if DescriptorBudget.shared.isStarving(unless: { receiver.isComplete || receiver.hasSent }) {
                    return started
                }
                guard callOff(started)?.code != .resourceUnavailable else { exit(103) }
                return nil
            }
        }

        /// How an exchange fails for want of a descriptor, and how long that takes.
        func failure() -> (error: URLError?, time: Duration) {
            taken.untilNoneIsFree {
                let start = ContinuousClock.now
                let started = self.start(upload)
                let receiver = started.receiver
                while !receiver.isComplete, !receiver.hasSent { sched_yield() }
                if !receiver.hasSent { return (receiver.wait(), ContinuousClock.now - start) }
                _ = callOff(started)
                return nil
            }
        }

        /// Ends an exchange that has found a descriptor. With a connection it would wait for the server, which is in this process and has
        /// no descriptor to accept it with.
        private func callOff(_ started: Started) -> URLError? {
            started.handle.cancel()
            return started.receiver.wait()
        }

        func end() { taken.release() }

        func dropTransport() { transport = nil }
    }

    /// Exchanges of which each is started from the end of the one before.
    private final class Chain: ExchangeReceiver {
        private let count: Int
        private let next: @Sendable (Chain) -> any ExchangeHandle
        private let state = Guarded(0)

        init(count: Int, next: @escaping @Sendable (Chain) -> any ExchangeHandle) {
            self.count = count
            self.next = next
        }

        var completions: Int { state.withLock { $0 } }

        func start() { _ = next(self) }

        func exchangeDidSend(totalBytes: Int64) {}
        func exchangeDidReceive(head: ResponseHead) -> ExchangeDisposition { .proceed }
        func exchangeDidReceive(body: UnsafeRawBufferPointer) -> ExchangeDisposition { .proceed }
        func exchangeDidComplete(error: URLError?) {
            let number = state.withLock { number in
                number += 1
                return number
            }
            if number < count { start() }
        }
    }
#endif
