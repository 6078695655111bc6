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
