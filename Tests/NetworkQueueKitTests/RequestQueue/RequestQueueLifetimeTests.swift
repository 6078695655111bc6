import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

/// What becomes of the requests of a queue to which nothing refers any more.
@Suite(.timeLimit(.minutes(10)))
struct RequestQueueLifetimeTests {
    private let transport = ScriptedTransport()
    private let clock = ManualClock()
    private let ends = Gathering<String>()

    private func make(_ path: String, _ change: (RequestOperation) -> Void = { _ in }) -> RequestOperation {
        var request = NetworkRequest(.test(path))
        request.retryPolicy = RetryPolicy(maxRetries: 1, backoff: .constant(.seconds(5)))
        let operation = RequestOperation(request)
        operation.completionHandler = { [ends] _, _, error in
            ends.add("\(path) \(error.map { "\($0.code)" } ?? "ok")")
        }
        change(operation)
        return operation
    }

    /// A queue that is released after `use`; a batch has been started before.
    private func release(
        _ kind: QueueKind, after use: (any RequestQueueing) async -> Void
    ) async -> () -> (any RequestQueueing)? {
        let queue = kind.makeQueue(over: transport, limit: 1, timekeeper: clock)
        await use(queue)
        return { [weak queue] in queue }
    }

    @Test(arguments: QueueKind.allCases)
    func `A released queue with requests that run and wait lives until it has drained`(kind: QueueKind) async {
        let queue = await release(kind) { queue in
            for path in ["a", "b", "c"] { queue.add(make(path)) }
        }
        for number in 0..<3 { await transport.exchange(number).answer(.ok()) }
        #expect(await ends.wait(count: 3) == ["a ok", "b ok", "c ok"])
        #expect(await eventually { queue() == nil })
    }

    @Test(arguments: QueueKind.allCases)
    func `A released queue whose only request waits for another operation lives until that is done`(
        kind: QueueKind
    ) async {
        let block = BlockOperation {}
        let queue = await release(kind) { queue in queue.add(make("a") { $0.addDependency(block) }) }
        #expect(queue() != nil)
        block.start()
        await transport.exchange(0).answer(.ok())
        #expect(await ends.wait(count: 1) == ["a ok"])
        #expect(await eventually { queue() == nil })
    }

    @Test(arguments: QueueKind.allCases)
    func `A released queue with a request that waits for a retry lives until that has ended`(kind: QueueKind) async {
        let queue = await release(kind) { queue in queue.add(make("a")) }
        await transport.exchange(0).end(.timedOut)
        await clock.waitForScheduledCalls(1)
        #expect(queue() != nil)
        clock.advance(by: .seconds(5))
        await transport.exchange(1).answer(.ok())
        #expect(await ends.wait(count: 1) == ["a ok"])
        #expect(await eventually { queue() == nil })
    }

    @Test(arguments: QueueKind.allCases)
    func `A released queue that is suspended cancels requests that wait, for a slot or another operation`(
        kind: QueueKind
    ) async {
        let block = BlockOperation {}
        let queue = await release(kind) { queue in
            queue.isSuspended = true
            queue.add(make("a"))
            queue.add(make("b") { $0.addDependency(block) })
        }
        #expect(await ends.wait(count: 2).sorted() == ["a cancelled", "b cancelled"])
        #expect(await eventually { queue() == nil } && transport.counts.started == 0)
        block.start()
    }

    @Test(arguments: QueueKind.allCases)
    func `A released queue that is suspended lets its running request end, and cancels those that wait`(kind: QueueKind)
        async
    {
        let queue = await release(kind) { queue in
            for path in ["a", "b"] { queue.add(make(path)) }
            queue.isSuspended = true
        }
        await transport.exchange(0).answer(.ok())
        #expect(await ends.wait(count: 2).sorted() == ["a ok", "b cancelled"])
        #expect(await eventually { queue() == nil } && transport.counts.started == 1)
    }

    @Test(arguments: QueueKind.allCases)
    func `A released queue that is suspended while a request waits for a retry cancels it`(kind: QueueKind) async {
        let queue = await release(kind) { queue in
            let operation = make("a")
            queue.add(operation)
            await transport.exchange(0).end(.timedOut)
            #expect(await eventually { operation.status == .retrying })
            queue.isSuspended = true
        }
        #expect(await ends.wait(count: 1) == ["a cancelled"])
        #expect(await eventually { queue() == nil })
        clock.advance(by: .seconds(60))
        #expect(transport.counts.started == 1)
    }

    /// Why a batch starts nothing.
    enum Rest: CaseIterable {
        case notStarted, reset, suspendedWithSizing
    }

    @Test(arguments: Rest.allCases)
    func `A released queue that has not been started, or is suspended before sizing, cancels its requests`(rest: Rest)
        async
    {
        weak var weakQueue: NetworkQueue?
        do {
            let queue = NetworkQueue(transport: transport, delegateQueue: DispatchQueue(label: "lifetime"))
            weakQueue = queue
            queue.isSuspended = rest == .suspendedWithSizing
            if rest != .notStarted { queue.go() }
            if rest == .reset { queue.reset() }
            for path in ["a", "b"] { queue.add(make(path)) }
        }
        #expect(await ends.wait(count: 2).sorted() == ["a cancelled", "b cancelled"])
        #expect(await eventually { weakQueue == nil } && transport.counts.started == 0)
    }

    @Test func `A released queue with requests to a host on hold lives until they are done`() async {
        let queue = await release(.requestQueue) { queue in
            let first = make("a")
            queue.add(first)
            await transport.exchange(0).answer(.status(429, ["Retry-After": "10"]))
            #expect(await eventually { first.status == .retrying })
            queue.add(make("b"))
            first.cancel()
        }
        #expect(await ends.wait(count: 1) == ["a cancelled"])
        #expect(queue() != nil)
        clock.advance(by: .seconds(10))
        await transport.exchange(1).answer(.ok())
        #expect(await ends.wait(count: 2) == ["a cancelled", "b ok"])
        #expect(await eventually { queue() == nil })
    }
}
