import Dispatch
import Foundation
import NetworkQueueKit

/// What the queue itself costs for each request, with a transport that answers at once.
enum QueueScenario {
    /// Measures `rounds` times at each size.
    static func run(sizes: [Int], rounds: Int) -> [QueueFigures] {
        // The first of everything pays for what is set up once.
        _ = measure(1_000)
        return sizes.flatMap { size in
            let memory = QueueMemory.measure(size)
            // What is over in a few milliseconds has more tries.
            let tries = rounds * max(1, min(4, 100_000 / size))
            return (0..<tries).map { _ in
                QueueFigures(
                    size: size, columns: measure(size) + [memory?.operation ?? .nan, memory?.queued ?? .nan])
            }
        }
    }

    /// Nanoseconds per request for each column.
    private static func measure(_ count: Int) -> [Double] {
        guard let url = URL(string: "http://127.0.0.1/") else { return [] }

        let request = NetworkRequest(url)
        let (create, add, next) = measureNext(count, request)
        let queue = makeQueue()
        for _ in 0..<count { queue.add(request) }
        let run = time(count) {
            queue.go()
            queue.waitUntilFinished()
        }

        let cancelEach = measureCancelling(count, request) { $0 }
        // What a large queue costs beyond a small one is memory that is not in the processor's cache.
        let cancelAtRandom = measureCancelling(count, request) { ($0 &* 7919) % count }

        let operations = (0..<count).map { _ in RequestOperation(request) }
        let swept = makeQueue()
        for operation in operations { swept.add(operation) }
        let cancelAll = time(count) {
            swept.cancelAll()
            swept.go()
            swept.waitUntilFinished()
        }
        return [create, add, next, run, cancelEach, cancelAtRandom, cancelAll]
    }

    private static func measureNext(
        _ count: Int, _ request: NetworkRequest
    ) -> (create: Double, add: Double, next: Double) {
        var operations: [RequestOperation] = []
        operations.reserveCapacity(count)
        let create = time(count) {
            for _ in 0..<count { operations.append(RequestOperation(request)) }
        }
        let head = ResponseHead(
            statusCode: 200, headers: ["Content-Length": "0"], url: request.urlRequest.url ?? URL(filePath: "/"))
        let transport = HandTransport(head: head)
        let queue = makeQueue(transport)
        let add = time(count) {
            for operation in operations { queue.add(operation) }
        }
        queue.go()
        let next = time(count) { transport.answer(count) }
        queue.waitUntilFinished()
        return (create, add, next)
    }

    private static func measureCancelling(
        _ count: Int, _ request: NetworkRequest, inOrder position: (Int) -> Int
    ) -> Double {
        let operations = (0..<count).map { _ in RequestOperation(request) }
        let queue = makeQueue()
        for operation in operations { queue.add(operation) }
        return time(count) {
            for index in 0..<count { operations[position(index)].cancel() }
        }
    }

    static func makeQueue(_ transport: any Transport = InstantTransport()) -> NetworkQueue {
        var configuration = NetworkQueue.Configuration()
        configuration.showsAccurateProgress = false
        let queue = NetworkQueue(
            configuration: configuration, transport: transport,
            delegateQueue: DispatchQueue(label: "benchmark"))
        return queue
    }

    static func time(_ count: Int, _ body: () -> Void) -> Double {
        let start = ContinuousClock.now
        body()
        return start.duration(to: .now) / .nanoseconds(1) / Double(count)
    }
}
