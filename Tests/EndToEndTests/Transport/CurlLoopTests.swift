#if canImport(Glibc)
    import Foundation
    import LoopbackHTTP
    import NetworkQueueKit
    import Testing

    struct CurlLoopTests {
        @Test func `Debuggers and system monitors see the thread by its name`() async throws {
            let transport = try #require(CurlTransport())
            let server = try LoopbackServer()
            server.serve("/", .text("here"))
            let name = Guarded("")
            let recorder = EventRecorder(onCompletion: {
                let comm = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
                name.withLock { $0 = comm ?? "" }
            })
            _ = transport.start(HTTPExchange(url: server.url("/")), receiver: recorder)
            _ = await recorder.outcome()
            #expect(name.withLock { $0 } == "NetworkQueueKit\n")
        }
    }
#endif
