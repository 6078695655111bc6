import Dispatch
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

    private func make(_ path: String, _ change: (inout NetworkRequest) -> Void = { _ in }) -> RequestOperation {
        var request = NetworkRequest(.test(path))
        change(&request)
        let operation = RequestOperation(request)
        operation.completionHandler = { [ends] _, _, error in
            ends.add("\(path) \(error.map { "\($0.code)" } ?? "ok")")
        }
        return operation
    }

    /// Both kinds; a batch has been started.
    private func queue(_ kind: QueueKind) -> any RequestQueueing {
        switch kind {
        case .requestQueue:
            var configuration = RequestQueue.Configuration()
            configuration.maxConcurrentRequestCount = 1
            return RequestQueue(configuration: configuration, transport: transport, timekeeper: clock)
        case .networkQueue:
            var configuration = NetworkQueue.Configuration()
            configuration.maxConcurrentRequestCount = 1
            configuration.showsAccurateProgress = false
            configuration.cancelsAllOnFailure = false
            let queue = NetworkQueue(
                configuration: configuration, transport: transport,
                delegateQueue: DispatchQueue(label: "RequestQueueLifetimeTests"), timekeeper: clock)
            queue.go()
            return queue
        }
    }

    private func setSuspended(_ isSuspended: Bool, _ queue: any RequestQueueing) {
        (queue as? RequestQueue)?.isSuspended = isSuspended
        (queue as? NetworkQueue)?.isSuspended = isSuspended
    }

    @Test(arguments: QueueKind.allCases)
    func `A released queue with requests that run and wait lives until it has drained`(kind: QueueKind) async {
        weak var weakQueue: (any RequestQueueing)?
        do {
            let queue = queue(kind)
            weakQueue = queue
            for path in ["a", "b", "c"] { queue.add(make(path)) }
        }
        for number in 0..<3 { await transport.exchange(number).answer(.ok()) }
        #expect(await ends.wait(count: 3) == ["a ok", "b ok", "c ok"])
        #expect(await eventually { weakQueue == nil })
    }

    @Test(arguments: QueueKind.allCases)
    func `A released queue whose only request waits for another operation lives until that is done`(
        kind: QueueKind
    ) async {
        let block = BlockOperation {}
        weak var weakQueue: (any RequestQueueing)?
        do {
            let queue = queue(kind)
            weakQueue = queue
            let operation = make("a")
            operation.addDependency(block)
            queue.add(operation)
        }
        #expect(weakQueue != nil)
        block.start()
        await transport.exchange(0).answer(.ok())
        #expect(await ends.wait(count: 1) == ["a ok"])
        #expect(await eventually { weakQueue == nil })
    }

    @Test(arguments: QueueKind.allCases)
    func `A released queue with a request that waits for a retry lives until that has ended`(kind: QueueKind) async {
        weak var weakQueue: (any RequestQueueing)?
        do {
            let queue = queue(kind)
            weakQueue = queue
            let operation = make("a")
            operation.autoRetry = true
            queue.add(operation)
        }
        await transport.exchange(0).end(.timedOut)
        await clock.waitForScheduledCalls(1)
        #expect(weakQueue != nil)
        clock.advance(by: .seconds(5))
        await transport.exchange(1).answer(.ok())
        #expect(await ends.wait(count: 1) == ["a ok"])
        #expect(await eventually { weakQueue == nil })
    }

    @Test(arguments: QueueKind.allCases)
    func `A released queue that is suspended cancels the requests that wait`(kind: QueueKind) async {
        weak var weakQueue: (any RequestQueueing)?
        do {
            let queue = queue(kind)
            weakQueue = queue
            setSuspended(true, queue)
            for path in ["a", "b"] { queue.add(make(path)) }
        }
        #expect(await ends.wait(count: 2) == ["a cancelled", "b cancelled"])
        #expect(await eventually { weakQueue == nil } && transport.counts.started == 0)
    }

    @Test(arguments: QueueKind.allCases)
    func `A released queue that is suspended lets its running request end, and cancels those that wait`(kind: QueueKind)
        async
    {
        weak var weakQueue: (any RequestQueueing)?
        do {
            let queue = queue(kind)
            weakQueue = queue
            for path in ["a", "b"] { queue.add(make(path)) }
            setSuspended(true, queue)
        }
        await transport.exchange(0).answer(.ok())
        #expect(await ends.wait(count: 2).sorted() == ["a ok", "b cancelled"])
        #expect(await eventually { weakQueue == nil } && transport.counts.started == 1)
    }

    @Test(arguments: QueueKind.allCases)
    func `A released queue that is suspended while a request waits for a retry cancels it`(kind: QueueKind) async {
        weak var weakQueue: (any RequestQueueing)?
        do {
            let queue = queue(kind)
            weakQueue = queue
            let operation = make("a")
            operation.autoRetry = true
            queue.add(operation)
            await transport.exchange(0).end(.timedOut)
            #expect(await eventually { operation.status == .retrying })
            setSuspended(true, queue)
        }
        #expect(await ends.wait(count: 1) == ["a cancelled"])
        #expect(await eventually { weakQueue == nil })
        clock.advance(by: .seconds(60))
        #expect(transport.counts.started == 1)
    }

    @Test func `A released queue that has not been started cancels its requests`() async {
        weak var weakQueue: NetworkQueue?
        do {
            let queue = NetworkQueue(transport: transport, delegateQueue: DispatchQueue(label: "lifetime"))
            weakQueue = queue
            queue.add(make("a"))
        }
        #expect(await ends.wait(count: 1) == ["a cancelled"])
        #expect(weakQueue == nil)
    }

    @Test func `A released queue that has not been started again after reset() cancels its requests`() async {
        weak var weakQueue: (any RequestQueueing)?
        do {
            let queue = queue(.networkQueue)
            weakQueue = queue
            (queue as? NetworkQueue)?.reset()
            queue.add(make("a"))
        }
        #expect(await ends.wait(count: 1) == ["a cancelled"])
        #expect(await eventually { weakQueue == nil } && transport.counts.started == 0)
    }

    @Test func `A released queue that is suspended while sizes are asked for cancels requests and probes`() async {
        weak var weakQueue: NetworkQueue?
        do {
            var configuration = NetworkQueue.Configuration()
            configuration.maxConcurrentRequestCount = 1
            let queue = NetworkQueue(
                configuration: configuration, transport: transport, delegateQueue: DispatchQueue(label: "lifetime"),
                timekeeper: clock)
            weakQueue = queue
            queue.isSuspended = true
            for path in ["a", "b"] { queue.add(make(path)) }
            queue.go()
        }
        #expect(await ends.wait(count: 2).sorted() == ["a cancelled", "b cancelled"])
        #expect(await eventually { weakQueue == nil } && transport.counts.started == 0)
    }

    @Test func `A released queue with requests to a host on hold lives until they are done`() async {
        weak var weakQueue: RequestQueue?
        do {
            let queue = RequestQueue(
                configuration: RequestQueue.Configuration(), transport: transport, timekeeper: clock)
            weakQueue = queue
            queue.maxConcurrentRequestCount = 1
            queue.add(make("a") { $0.retryPolicy = .standard })
            await transport.exchange(0).answer(.status(429, ["Retry-After": "10"]))
            #expect(await eventually { queue.requests.first?.status == .retrying })
            queue.add(make("b"))
            queue.requests.first { $0.path == "/a" }?.cancel()
        }
        #expect(await ends.wait(count: 1) == ["a cancelled"])
        #expect(weakQueue != nil)
        clock.advance(by: .seconds(10))
        await transport.exchange(1).answer(.ok())
        #expect(await ends.wait(count: 2) == ["a cancelled", "b ok"])
        #expect(await eventually { weakQueue == nil })
    }
}
