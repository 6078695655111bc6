#if canImport(Glibc)
    import Foundation
    import LoopbackServer
    import TestSupport
    import Testing

    @testable import NetworkQueueKit

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// A moment in which the system has nothing to give fails the exchanges of that moment, and no later one.
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

        @Test func `of descriptors fails what it is given, and goes on when there are some again`() async throws {
            try #require(CurlTransport.isAvailable)
            let isShort = Guarded(true)
            var system = CurlLoop.System()
            system.makeMulti = { [make = system.makeMulti] in isShort.withLock { $0 } ? nil : make() }
            let transport = transport(system)
            let server = try LoopbackServer()
            server.serve("/", .text("here"))
            let recorders = (0..<10).map { _ in EventRecorder() }
            for recorder in recorders { _ = transport.start(HTTPExchange(url: server.url), receiver: recorder) }
            for recorder in recorders { #expect(await recorder.outcome().error?.code == .resourceUnavailable) }
            isShort.withLock { $0 = false }
            let recorder = EventRecorder()
            _ = transport.start(HTTPExchange(url: server.url), receiver: recorder)
            #expect(await recorder.outcome().text == "here")
        }

        @Test func `of real descriptors is no different`() async {
            await #expect(processExitsWith: .success) {
                // Everything that needs a descriptor of its own is there before they run out.
                let server = try LoopbackServer()
                server.serve("/", .text("here"))
                let transport = try #require(CurlTransport(configuration: .patient))
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                limit.rlim_cur = 256
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                let failed = BlockingReceiver()
                var taken: [Int32] = []
                while case let descriptor = dup(2), descriptor >= 0 { taken.append(descriptor) }
                _ = transport.start(HTTPExchange(url: server.url), receiver: failed)
                let error = failed.wait()
                for descriptor in taken { close(descriptor) }
                guard error?.code == .resourceUnavailable else { exit(1) }
                // It would wait for ever, were the thread not to wake.
                for _ in 0..<3 {
                    let recorder = EventRecorder()
                    _ = transport.start(HTTPExchange(url: server.url), receiver: recorder)
                    guard await recorder.outcome().text == "here" else { exit(2) }
                }
            }
        }

        @Test func `of a descriptor for a connection waits until there is one`() async {
            await #expect(processExitsWith: .success) {
                let want = try await DescriptorWant()
                let waiting = BlockingReceiver()
                _ = want.transport?.start(HTTPExchange(url: want.elsewhere.url), receiver: waiting)
                // The loop has tried the first one by the time that the second one, which has a connection, is over.
                guard want.fetch(want.known.url) == nil, !waiting.isComplete else { exit(1) }
                want.end()
                guard waiting.wait() == nil else { exit(2) }
            }
        }

        @Test func `of a descriptor for a connection fails after connectTimeout when nothing runs that could free one`()
            async
        {
            await #expect(processExitsWith: .success) {
                let want = try await DescriptorWant(connectTimeout: .milliseconds(200))
                let start = ContinuousClock.now
                let error = want.fetch(want.elsewhere.url)
                guard error?.code == .resourceUnavailable else { exit(1) }
                guard ContinuousClock.now - start >= .milliseconds(200) else { exit(2) }
                guard error?.localizedDescription.contains("No file descriptor is free") == true else { exit(3) }
                want.end()
                guard want.fetch(want.elsewhere.url) == nil else { exit(4) }
            }
        }

        @Test func `of a descriptor for a connection is cancelled, and timed out, while it waits`() async {
            await #expect(processExitsWith: .success) {
                let want = try await DescriptorWant()
                let waiting = BlockingReceiver()
                let handle = want.transport?.start(HTTPExchange(url: want.elsewhere.url), receiver: waiting)
                guard want.fetch(want.known.url) == nil, !waiting.isComplete else { exit(1) }
                handle?.cancel()
                guard waiting.wait()?.code == .cancelled else { exit(2) }
                var exchange = HTTPExchange(url: want.elsewhere.url)
                exchange.totalTimeout = .milliseconds(100)
                let late = BlockingReceiver()
                _ = want.transport?.start(exchange, receiver: late)
                guard late.wait()?.code == .timedOut else { exit(3) }
                let last = BlockingReceiver()
                _ = want.transport?.start(HTTPExchange(url: want.elsewhere.url), receiver: last)
                guard want.fetch(want.known.url) == nil else { exit(4) }
                want.dropTransport()
                guard last.wait()?.code == .cancelled else { exit(5) }
            }
        }
    }

    /// A process without a free descriptor, a connection to one server, and none to another. For exit tests.
    private final class DescriptorWant: @unchecked Sendable {
        private(set) var transport: CurlTransport?
        /// A server to which there is a connection.
        let known: LoopbackServer
        let elsewhere: LoopbackServer
        private var taken: [Int32] = []

        init(connectTimeout: Duration = .seconds(60)) async throws {
            known = try LoopbackServer()
            elsewhere = try LoopbackServer()
            for server in [known, elsewhere] { server.serve("/", .text("here")) }
            var configuration = TransportConfiguration.patient
            configuration.connectTimeout = connectTimeout
            transport = CurlTransport(configuration: configuration)
            guard fetch(known.url) == nil else { exit(100) }
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = 256
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            while case let descriptor = dup(2), descriptor >= 0 { taken.append(descriptor) }
        }

        func fetch(_ url: URL) -> URLError? {
            let receiver = BlockingReceiver()
            _ = transport?.start(HTTPExchange(url: url), receiver: receiver)
            return receiver.wait()
        }

        func end() {
            for descriptor in taken { close(descriptor) }
            taken = []
        }

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

    /// A receiver whose end can be waited for without Dispatch, which ends the process when it lacks descriptors.
    private final class BlockingReceiver: ExchangeReceiver {
        private let condition = NSCondition()
        private let state = Guarded<(isComplete: Bool, error: URLError?)>((false, nil))

        var isComplete: Bool { state.withLock { $0.isComplete } }

        func wait() -> URLError? {
            condition.lock()
            defer { condition.unlock() }
            while !state.withLock({ $0.isComplete }) { condition.wait() }
            return state.withLock { $0.error }
        }

        func exchangeDidSend(totalBytes: Int64) {}
        func exchangeDidReceive(head: ResponseHead) -> ExchangeDisposition { .proceed }
        func exchangeDidReceive(body: UnsafeRawBufferPointer) -> ExchangeDisposition { .proceed }
        func exchangeDidComplete(error: URLError?) {
            condition.lock()
            state.withLock { $0 = (true, error) }
            condition.signal()
            condition.unlock()
        }
    }
#endif
