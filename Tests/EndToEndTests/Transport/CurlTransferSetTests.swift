#if canImport(Glibc)
    import CCurl
    import LoopbackHTTP
    import Testing

    @testable import NetworkQueueKit

    struct CurlTransferSetTests {
        @Test func `The loop looks for messages itself while it stays awake`() throws {
            try withWaitingSet(latestWait: .zero) { set in
                var looks = 0
                set.wait {
                    looks += 1
                    return true
                }
                #expect(looks == 1)
            }
        }

        @Test func `The loop sleeps at once after a long wait`() throws {
            try withWaitingSet(latestWait: .seconds(1)) { set in
                var looks = 0
                set.wait {
                    looks += 1
                    return true
                }
                #expect(looks == 0)
            }
        }

        /// A set with one exchange, which is never answered.
        private func withWaitingSet(latestWait: Duration, _ body: (inout CurlTransferSet) -> Void) throws {
            try #require(CurlTransport.isAvailable)
            let server = try LoopbackServer()
            let gate = Gate()
            server.serve("/", .text("late").gated(by: gate))
            let multi = try #require(CurlMulti())
            let configuration = TransportConfiguration()
            var set = CurlTransferSet(multi: multi, configuration: configuration)
            set.start(
                CurlTransfer(
                    HTTPExchange(url: server.url("/"), idleTimeout: .milliseconds(100)), receiver: EventRecorder(),
                    configuration: configuration, loop: CurlLoop(configuration: configuration)))
            set.latestWait = latestWait
            body(&set)
            set.cancelAll()
            gate.open()
        }
    }
#endif
