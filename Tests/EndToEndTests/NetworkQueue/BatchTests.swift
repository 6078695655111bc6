import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct BatchTests {
    @Test(arguments: TransportKind.allCases, [false, true])
    func `A batch downloads a hundred contents whole, wherever they go`(kind: TransportKind, isAccurate: Bool)
        async throws
    {
        let rig = try LiveRig(kind) {
            $0.showsAccurateProgress = isAccurate
            $0.maxConcurrentRequestCount = 6
        }
        var operations: [(RequestOperation, GeneratedContent)] = []
        for number in 0..<100 {
            let content = GeneratedContent(size: Int64(number * number * 37 % 70_000), seed: UInt64(number))
            let response = ScriptedResponse.generated(size: content.size, seed: content.seed)
            rig.server.serve("/\(number)", number % 7 == 0 ? response.chunked() : response)
            var request = NetworkRequest(rig.server.url("/\(number)"))
            request.destination =
                switch number % 3 {
                case 0: .memory
                case 1: .file(rig.folder.file("deep/\(number)"))
                default: .discard
                }
            operations.append((rig.queue.add(request), content))
        }
        let summary = await rig.queue.run()
        #expect(summary.counts == .init(finished: 100))
        #expect(summary.bytesReceived == operations.reduce(0) { $0 + $1.1.size })
        for (operation, content) in operations {
            #expect(
                operation.metrics?.bytesReceived == content.size && operation.error == nil && operation.attempts == 1)
            #expect(rig.recorder.story(of: operation) == ["start", "head 200", "finish"])
            switch operation.request.destination {
            case .memory: #expect(operation.data.map { Array($0) } == content.bytes(in: 0..<content.size))
            case .file(let url, _, _): #expect(try operation.fileURL == url && content.matches(contentsOf: url))
            case .discard, .sink: #expect(operation.data == nil && operation.fileURL == nil)
            }
        }
        #expect(rig.folder.contents.count == 34)
        // Sizing has a width of its own, 16, and what it has not been told in time it goes on to ask for beside the
        // downloads.
        #expect(rig.server.peakConcurrentRequestCount <= (isAccurate ? 16 + 6 : 6))
        let heads = rig.server.requests.count { $0.method == "HEAD" }
        #expect(isAccurate ? (1...100).contains(heads) : heads == 0)
    }

    @Test(arguments: TransportKind.allCases)
    func `A batch uploads the content that it was given, and counts it`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/echo", .echo)
        let bodies = [
            Data(), Data("short".utf8), Data(GeneratedContent(size: 300_000, seed: 9).bytes(in: 0..<300_000)),
        ]
        let operations = bodies.map { body in
            var request = NetworkRequest(rig.server.url("/echo"))
            request.urlRequest.httpMethod = "PUT"
            request.urlRequest.setValue("text/plain", forHTTPHeaderField: "Content-Type")
            request.body = .data(body)
            return rig.queue.add(request)
        }
        let summary = await rig.queue.run()
        #expect(summary.counts == .init(finished: 3) && summary.bytesSent == 300_005)
        for (operation, body) in zip(operations, bodies) {
            let echo = try JSONDecoder().decode(Echo.self, from: #require(operation.data))
            #expect(echo.method == "PUT" && echo.bodyLength == Int64(body.count))
            #expect(echo.checksum == Echo.hexadecimal(ContentChecksum.of(body)))
        }
        #expect(rig.recorder.updates.last?.upload == .init(transferred: 300_005, expected: 300_005, isEstimated: false))
    }

    @Test(arguments: TransportKind.allCases)
    func `A batch goes on when some of it fails`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        rig.server.serve("/good", .text("good"))
        rig.server.serve("/cut", .generated(size: 10_000).dropping(after: 500))
        rig.server.serve("/hangUp", .hangUp)
        rig.server.serve("/500", .text("sorry", status: 500))
        let codes: [(String, NetworkError.Code?)] = [
            ("/good", nil), ("/cut", .connectionLost), ("/missing", .httpStatus(404)), ("/hangUp", .connectionLost),
            ("/500", .httpStatus(500)), ("/good", nil),
        ]
        let operations = codes.map { rig.queue.add(rig.server.url($0.0)) }
        let summary = await rig.queue.run()
        #expect(operations.map { $0.error?.code } == codes.map(\.1))
        #expect(summary.counts == .init(finished: 2, failed: 4) && summary.bytesReceived == 8)
        for operation in operations where operation.error != nil {
            #expect(operation.error?.operationID == operation.id && operation.error?.url?.port == Int(rig.server.port))
            #expect(rig.recorder.story(of: operation).last?.hasPrefix("fail") == true)
        }
        #expect(operations[4].error?.response?.data.map { String(decoding: $0, as: UTF8.self) } == "sorry")
    }

    @Test(arguments: TransportKind.allCases)
    func `A batch that cancels on failure ends at the first one and hangs up on running requests`(kind: TransportKind)
        async throws
    {
        let rig = try LiveRig(kind) { $0.cancelsAllOnFailure = true }
        let (holding, failing) = (Gate(), Gate())
        rig.server.serve("/held", .generated(size: 100_000).gated(by: holding, at: .afterBody(1000)))
        rig.server.serve("/bad", .status(500).gated(by: failing))
        for _ in 0..<3 { rig.queue.add(rig.server.url("/held")) }
        let bad = rig.queue.add(rig.server.url("/bad"))
        for _ in 0..<20 { rig.queue.add(rig.server.url("/never")) }
        rig.queue.go()
        #expect(await holding.waitForArrival(count: 3))
        #expect(await failing.waitForArrival())
        failing.open()
        await rig.recorder.waitForDrain()
        #expect(rig.recorder.summaries.map(\.counts) == [.init(failed: 1, cancelled: 23)])
        #expect(rig.recorder.summaries[0].firstFailure?.operation === bad)
        #expect(await rig.server.wait { $0.concurrentRequests == 0 })
        #expect(rig.server.requestCount("/never") == 0)
    }

    @Test(arguments: TransportKind.allCases)
    func `A batch is called off by cancelAll() and by reset(), and the server sees it`(kind: TransportKind) async throws
    {
        let rig = try LiveRig(kind)
        let gate = Gate()
        rig.server.serve("/held", .generated(size: 100_000).gated(by: gate, at: .afterHead))
        for calling in [NetworkQueue.cancelAll, NetworkQueue.reset] {
            let before = gate.arrivalCount
            let operations = (0..<8).map { _ in rig.queue.add(rig.server.url("/held")) }
            rig.queue.go()
            #expect(await gate.waitForArrival(count: before + 4))
            calling(rig.queue)()
            #expect(await rig.server.wait { $0.concurrentRequests == 0 })
            #expect(await eventually { operations.allSatisfy { $0.status == .cancelled } })
            // What is added before the drain has been told belongs to the same run.
            await rig.recorder.waitForDrain()
        }
        #expect(rig.recorder.summaries.map(\.counts) == [.init(cancelled: 8)])
    }

    /// netqueue of 6cd524d failed all files of a server that was away for four seconds (the report that is replayed as
    /// `outage_of_four_seconds`); the right number of failures is none.
    @Test(arguments: TransportKind.allCases)
    func `An outage in which six files fail four times each costs none of them`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind) {
            $0.retryPolicy = .standard
            $0.retryPolicy.maxRetries = 1
            // On a machine under load the waits take longer.
            $0.retryPolicy.outageTolerance = .seconds(600)
        }
        let server = try ClosedPort()
        let operations = try (0..<6).map { rig.queue.add(try server.url("/\($0)")) }
        rig.queue.go()
        await rig.recorder.wait { events in
            operations.allSatisfy { operation in
                events.count { if case .willRetry(operation, _, _) = $0 { true } else { false } } >= 4
            }
        }
        try server.open(answering: "back", times: 6)
        await rig.recorder.waitForDrain()
        #expect(operations.allSatisfy { $0.data == Data("back".utf8) })
        let delays = rig.recorder.events.compactMap { event in
            if case .willRetry(_, let delay, _) = event { delay } else { nil }
        }
        #expect(delays.allSatisfy { $0 >= .milliseconds(500) })
    }
}
