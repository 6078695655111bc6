import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// Pause and resume over real transports.
@Suite(.timeLimit(.minutes(10)))
struct PauseOverTheWireTests {
    private static let content = GeneratedContent(size: 300_000, seed: 1)
    private static let response = ScriptedResponse.generated(size: content.size, seed: 1).acceptingRanges(etag: "\"1\"")

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Waits until the server has no exchange under way.
    private func waitUntilQuiet(_ server: LoopbackServer) async {
        #expect(await eventually { server.counters.concurrentRequests == 0 })
    }

    @Test(arguments: TransportKind.allCases)
    func `A paused download ends its exchange and goes on from its part`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        let gate = Gate()
        rig.server.serve("/a", Self.response.gated(by: gate, at: .afterBody(200_000)))
        let operation = rig.queue.add(.download(rig.server.url("/a"), to: folder.file("a")))
        rig.queue.go()
        await gate.waitForArrival()
        // What has been sent has been received.
        #expect(await eventually { rig.queue.progress.download.transferred >= 200_000 })
        operation.pause()
        #expect(await eventually { operation.status == .paused })
        await waitUntilQuiet(rig.server)
        #expect(rig.queue.progress.download.transferred == 200_000)
        // The operation knows it first.
        #expect(await eventually { rig.queue.progress.counts == .init(paused: 1) })
        // iOS ends an app that is suspended with such a lock.
        for name in folder.contents {
            let descriptor = open(folder.file(name).path(percentEncoded: false), O_RDWR)
            #expect(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0, "\(name) is still locked")
            close(descriptor)
        }
        gate.open()
        operation.resume()
        await rig.recorder.waitForDrain(1)
        #expect(operation.error == nil && operation.attempts == 1)
        #expect(rig.server.requests.map { $0.headers["Range"] } == [nil, "bytes=200000-"])
        #expect(try Self.content.matches(contentsOf: folder.file("a")))
        #expect(folder.contents == ["a"])
        let fractions = rig.recorder.updates.map(\.fractionCompleted)
        #expect(fractions == fractions.sorted() && fractions.last == 1)
    }

    @Test(arguments: TransportKind.allCases)
    func `Content to memory and content that is sent start over after a pause`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        let (down, up) = (Gate(), Gate())
        rig.server.serve("/down", Self.response.gated(by: down, at: .afterBody(100_000)))
        rig.server.serve("/up", ScriptedResponse.echo.gated(by: up))
        let sent = Data(GeneratedContent(size: 3_000_000, seed: 2).bytes(in: 0..<3_000_000))
        let operations = [
            rig.queue.add(.get(rig.server.url("/down"))),
            rig.queue.add(.put(rig.server.url("/up"), body: .data(sent))),
        ]
        rig.queue.go()
        await down.waitForArrival()
        await up.waitForArrival()
        rig.queue.pauseAll()
        #expect(await eventually { operations.allSatisfy { $0.status == .paused } })
        await waitUntilQuiet(rig.server)
        down.open()
        up.open()
        rig.queue.resumeAll()
        await rig.recorder.waitForDrain(1)
        #expect(operations[0].data.map { Array($0) } == Self.content.bytes(in: 0..<Self.content.size))
        let echo = try JSONDecoder().decode(Echo.self, from: try #require(operations[1].data))
        #expect(echo.bodyLength == 3_000_000)
        #expect(operations.map(\.attempts) == [1, 1])
        #expect(rig.server.requestCount("/down") == 2 && rig.server.requestCount("/up") == 2)
    }

    @Test(arguments: TransportKind.allCases)
    func `A paused queue sends nothing for longer than its timeouts, and holds a sink with its connection`(
        kind: TransportKind
    ) async throws {
        let rig = try LiveRig(kind)
        let gate = Gate()
        for path in ["/file", "/memory"] {
            rig.server.serve(path, Self.response.gated(by: gate, at: .afterBody(100_000)))
        }
        rig.server.serve("/sink", .generated(size: 24_000_000, seed: 3))
        rig.server.serve("/late", ScriptedResponse.text("late").delayed(head: .seconds(3)))
        let collector = Collector()
        var requests: [NetworkRequest] = [
            .download(rig.server.url("/file"), to: folder.file("file")), .get(rig.server.url("/memory")),
        ]
        // Foundation's on Linux cannot be held.
        if kind != .urlSession {
            var request = NetworkRequest(rig.server.url("/sink"), destination: .sink(collector))
            // It is held back before the pause as well, by its sink, which counts as little.
            request.idleTimeout = .seconds(1)
            requests.append(request)
        }
        rig.queue.maxConcurrentRequestCount = 3
        let operations = rig.queue.add(contentsOf: requests)
        rig.queue.go()
        await gate.waitForArrival(count: 2)
        if kind != .urlSession { #expect(await eventually { collector.hasContent }) }
        rig.queue.pauseAll()
        #expect(await eventually { operations.allSatisfy { $0.status == .paused } })
        let states = operations.map { "\($0.status) \($0.error.map { "\($0)" } ?? "")" }
        #expect(operations.allSatisfy { $0.status == .paused }, "\(states)")
        collector.mayGoOn.add(())
        #expect(await eventually { rig.server.counters.concurrentRequests == requests.count - 2 })
        let count = rig.server.counters.requests
        // Longer than the idle timeout.
        let late = RequestQueue(transport: rig.transport)
        _ = try await late.data(for: .get(rig.server.url("/late")))
        #expect(rig.server.counters.requests == count + 1)
        #expect(operations.allSatisfy { $0.status == .paused })
        gate.open()
        rig.queue.resumeAll()
        await rig.recorder.waitForDrain(1)
        #expect(operations.allSatisfy { $0.status == .finished })
        #expect(rig.server.requestCount("/sink") == requests.count - 2)
        #expect(kind == .urlSession || collector.isComplete)
        #expect(try Self.content.matches(contentsOf: folder.file("file")))
    }

    /// Checks what it gets, and takes nothing more after the first of it until it may.
    private final class Collector: DownloadSink {
        let mayGoOn = Gathering<Void>()
        private let verifier = Guarded(GeneratedContent(size: 24_000_000, seed: 3).verifier())

        var hasContent: Bool { verifier.withLock { $0.position > 0 } }
        var isComplete: Bool { verifier.withLock { $0.isComplete } }

        func write(_ chunk: Data) async throws {
            verifier.withLock { $0.update(chunk) }
            _ = await mayGoOn.wait(count: 1)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `A download that is paused ten times makes eleven requests and is exact`(kind: TransportKind) async throws {
        let rig = try LiveRig(kind)
        let content = GeneratedContent(size: 4_000_000, seed: 4)
        let gate = Gate()
        rig.server.serve(
            "/a",
            .generated(size: content.size, seed: 4).acceptingRanges(etag: "\"1\"")
                .gated(by: gate, at: .afterBody(300_000)))
        let operation = rig.queue.add(.download(rig.server.url("/a"), to: folder.file("a")))
        rig.queue.go()
        for round in 1...10 {
            await gate.waitForArrival(count: round)
            // What has been sent has been received.
            #expect(await eventually { rig.queue.progress.download.transferred >= 300_000 * Int64(round) })
            operation.pause()
            #expect(await eventually { operation.status == .paused })
            if round == 10 { gate.open() }
            operation.resume()
        }
        await rig.recorder.waitForDrain(1)
        #expect(operation.error == nil && rig.server.counters.requests == 11)
        #expect(try content.matches(contentsOf: folder.file("a")))
    }

    /// Operations that are paused, resumed and cancelled all the time, by threads and inside callbacks.
    @Test(arguments: TransportKind.allCases, [UInt64.random(in: 0..<1_000_000)])
    func `Operations end once, with exact files, however they are paused, resumed and canceled`(
        kind: TransportKind, seed: UInt64
    ) async throws {
        let count = kind == .urlSession ? 200 : 1000
        let content = GeneratedContent(size: 20_000, seed: 5)
        let transport = try kind.makeTransport()
        let server = try LoopbackServer()
        server.serve("/a", .generated(size: content.size, seed: 5).acceptingRanges(etag: "\"1\""))
        let census = Census()
        do {
            var configuration = NetworkQueue.Configuration()
            configuration.showsAccurateProgress = false
            configuration.cancelsAllOnFailure = false
            let queue = NetworkQueue(
                configuration: configuration, transport: transport, delegateQueue: DispatchQueue(label: "chaos"))
            queue.maxConcurrentRequestCount = 16
            let ends = Guarded<[RequestID: Int]>([:])
            let recorder = DelegateRecorder(onEvent: { _, event in
                guard let operation = event.operation else { return }
                switch event.kind {
                case .didFinish, .didFail: ends.withLock { $0[operation.id, default: 0] += 1 }
                // Not at each head: what is paused at its head is resumed to have another.
                case .didStart: if operation.id.hashValue % 3 == 0 { operation.pause() }
                default: break
                }
            })
            queue.delegate = recorder
            let operations = (0..<count).map {
                RequestOperation(.download(server.url("/a"), to: folder.file("\($0)")))
            }
            census.note(operations, queue)
            for operation in operations { queue.add(operation) }
            queue.go()
            await withTaskGroup(of: Void.self) { group in
                for thread in 0..<4 {
                    group.addTask {
                        await onThread {
                            var random = SplitMix64(seed: seed + UInt64(thread))
                            for _ in 0..<count {
                                let operation = operations[Int.random(in: 0..<count, using: &random)]
                                switch Int.random(in: 0..<20, using: &random) {
                                case 0: operation.cancel()
                                case 1: queue.pauseAll()
                                case 2...4: queue.resumeAll()
                                case 5...11: operation.pause()
                                default: operation.resume()
                                }
                            }
                        }
                    }
                }
            }
            queue.resumeAll()
            // A callback may pause again.
            let hasDrained = await eventually {
                for operation in operations { operation.resume() }
                return !queue.isRunning
            }
            let left = operations.filter { !$0.status.isTerminal }
            #expect(hasDrained, "seed \(seed), \(left.count) are left: \(left.prefix(5)), \(queue)")
            #expect(ends.withLock { $0.count == count && $0.values.allSatisfy { $0 == 1 } }, "seed \(seed)")
            for (index, operation) in operations.enumerated() {
                switch operation.status {
                case .finished: #expect(try content.matches(contentsOf: folder.file("\(index)")), "seed \(seed)")
                case .cancelled: break
                default: Issue.record("\(operation), seed \(seed)")
                }
            }
        }
        #expect(await eventually { census.isEmpty }, "seed \(seed)")
    }

    /// Weak references to operations and their queue.
    private final class Census: Sendable {
        private struct Weak: Sendable { weak let object: (any AnyObject & Sendable)? }

        private let objects = Guarded<[Weak]>([])

        func note(_ operations: [RequestOperation], _ queue: NetworkQueue) {
            objects.withLock { $0 = operations.map { Weak(object: $0) } + [Weak(object: queue)] }
        }

        var isEmpty: Bool { objects.withLock { $0.allSatisfy { $0.object == nil } } }
    }
}
