#if canImport(Glibc)
    import CCurl
    import LoopbackHTTP
    import Testing

    @testable import NetworkQueueKit

    @Suite struct CurlTransferSetTests {
        @Test func `messages are seen while the loop stays awake, where a wake-up counts for nothing`() throws {
            try withWaitingSet(latestWait: .zero) { set in
                var looks = 0
                set.wait {
                    looks += 1
                    return true
                }
                #expect(looks == 1)
            }
        }

        @Test func `after a long wait the loop sleeps at once`() throws {
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
