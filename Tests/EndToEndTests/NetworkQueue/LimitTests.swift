import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LimitTests {
    @Test(arguments: TransportKind.allCases, [1, 3, 8])
    func `No more than maxConcurrentRequestCount requests run at a time, and as many as that do`(
        kind: TransportKind, limit: Int
    ) async throws {
        let rig = try LiveRig(kind) { $0.maxConcurrentRequestCount = limit }
        let gate = Gate()
        rig.server.serve("/a", .text("x").gated(by: gate))
        for _ in 0..<30 { rig.queue.add(rig.server.url("/a")) }
        rig.queue.go()
        #expect(await gate.waitForArrival(count: limit))
        #expect(rig.server.counters.concurrentRequests == limit)
        gate.open()
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries[0].counts == .init(finished: 30))
        #expect(rig.server.peakConcurrentRequestCount == limit)
    }

    @Test(arguments: TransportKind.allCases)
    func `No more than maxConcurrentRequestCountPerHost requests run per host, while other hosts go on`(
        kind: TransportKind
    ) async throws {
        let rig = try LiveRig(kind) {
            $0.maxConcurrentRequestCount = 8
            $0.maxConcurrentRequestCountPerHost = 2
        }
        let gate = Gate()
        rig.server.serve("/a", .text("x").gated(by: gate))
        let named = try #require(URL(string: "http://localhost:\(rig.server.port)/a"))
        for _ in 0..<10 { rig.queue.add(rig.server.url("/a")) }
        for _ in 0..<10 { rig.queue.add(named) }
        rig.queue.go()
        #expect(await gate.waitForArrival(count: 4))
        let hosts = rig.server.requests.map { $0.headers["Host"]?.hasPrefix("localhost") == true }
        #expect(hosts.count { $0 } == 2)
        gate.open()
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries[0].counts == .init(finished: 20))
        #expect(rig.server.peakConcurrentRequestCount == 4)
    }

    #if canImport(Glibc)
        @Test(arguments: TransportKind.allCases)
        func `A host whose connections hang takes no more than its own share`(kind: TransportKind) async throws {
            var transport = TransportConfiguration.patient
            transport.connectTimeout = .seconds(3600)
            let rig = try LiveRig(kind, transport: transport) {
                $0.maxConcurrentRequestCount = 4
                $0.maxConcurrentRequestCountPerHost = 2
            }
            let silent = try UnresponsiveHost(number: 2)
            let gate = Gate()
            rig.server.serve("/*", .text("x").gated(by: gate))
            let hanging = (0..<10).map { _ in rig.queue.add(silent.url) }
            for number in 0..<20 { rig.queue.add(rig.server.url("/\(number)")) }
            rig.queue.go()
            #expect(await gate.waitForArrival(count: 2))
            gate.open()
            await rig.recorder.wait { $0.count { $0.kind == .didFinish } == 20 }
            // Those that run may have changed: Linux gives up connecting after two minutes, whatever the transport
            // says.
            #expect(hanging.count { $0.status == .running } <= 2 && hanging.allSatisfy { $0.status != .finished })
            #expect(rig.server.peakConcurrentRequestCount == 2)
            rig.queue.cancelAll()
            await rig.recorder.waitForDrain()
        }
    #endif

    @Test(arguments: TransportKind.allCases)
    func `A RequestQueue keeps its own limit and order, and calls its handlers`(kind: TransportKind) async throws {
        let rig = try LiveRig.requestQueue(kind) {
            $0.maxConcurrentRequestCount = 1
            $0.mode = .lastInFirstOut
            $0.isSuspended = true
        }
        let paths = (0..<10).map { "/\($0)" }
        for path in paths {
            rig.server.serve(path, path == "/3" ? .status(500) : .text(path))
            rig.add(path)
        }
        rig.queue.isSuspended = false
        let outcomes = await rig.outcomes.wait(count: 10)
        #expect(outcomes.map(\.path) == paths.reversed() && rig.server.requests.map(\.path) == paths.reversed())
        for outcome in outcomes {
            #expect(outcome.head?.statusCode == (outcome.path == "/3" ? 500 : 200))
            #expect(outcome.data == Data(outcome.path == "/3" ? "".utf8 : outcome.path.utf8))
        }
        #expect(rig.server.peakConcurrentRequestCount == 1)
    }

    @Test(arguments: TransportKind.allCases)
    func `The progress handlers of an operation see its bytes grow to the whole`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/a", .generated(size: 1_000_000))
        let calls = Guarded<[(Double?, Int64, Int64?)]>([])
        var request = NetworkRequest(rig.server.url("/a"))
        request.destination = .discard
        let operation = RequestOperation(request)
        operation.downloadProgressHandler = { fraction, bytes, total in
            calls.withLock { $0.append((fraction, bytes, total)) }
        }
        rig.queue.add(operation)
        await rig.queue.run()
        let told = calls.withLock { $0 }
        #expect(told.last?.0 == 1 && told.last?.1 == 1_000_000 && told.last?.2 == 1_000_000)
        #expect(zip(told, told.dropFirst()).allSatisfy { $0.1 < $1.1 })
    }
}
