import Dispatch
import Foundation
import NetworkQueueKit

/// What the queue itself costs for each request, with a transport that answers at once.
enum QueueScenario {
    static func run(sizes: [Int]) -> [QueueFigures] {
        // The first of everything pays for what is set up once.
        _ = measure(1_000)
        return sizes.map { size in
            // The best of several: the queue cannot be faster than it is, only the machine slower.
            let runs = (0..<max(1, min(20, 1_000_000 / size))).map { _ in measure(size) }
            let best = (0..<6).map { column in runs.map { $0[column] }.min() ?? .nan }
            return QueueFigures(
                requests: size, columns: best, bytesPerRequest: QueueMemory.bytesPerRequest(size))
        }
    }

    static func table(_ all: [QueueFigures]) -> [String] {
        guard let first = all.first else { return [] }
        return ["ns per request   " + QueueFigures.titles] + all.map { $0.line(against: first) }
    }

    /// Nanoseconds per request for each column.
    private static func measure(_ count: Int) -> [Double] {
        guard let url = URL(string: "http://127.0.0.1/") else { return [] }

        var operations: [RequestOperation] = []
        operations.reserveCapacity(count)
        let request = NetworkRequest(url)
        let create = time(count) {
            for _ in 0..<count { operations.append(RequestOperation(request)) }
        }
        let queue = makeQueue()
        let add = time(count) {
            for operation in operations { queue.add(operation) }
        }
        let run = time(count) {
            queue.go()
            queue.waitUntilFinished()
        }

        let cancelEach = measureCancelling(count, request) { $0 }
        // What a large queue costs beyond a small one is memory that is not in the processor's cache.
        let cancelAtRandom = measureCancelling(count, request) { ($0 &* 7919) % count }

        operations = (0..<count).map { _ in RequestOperation(request) }
        let swept = makeQueue()
        for operation in operations { swept.add(operation) }
        let cancelAll = time(count) {
            swept.cancelAll()
            swept.go()
            swept.waitUntilFinished()
        }
        return [create, add, run, cancelEach, cancelAtRandom, cancelAll]
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

    static func makeQueue() -> NetworkQueue {
        var configuration = NetworkQueue.Configuration()
        configuration.showsAccurateProgress = false
        let queue = NetworkQueue(
            configuration: configuration, transport: InstantTransport(),
            delegateQueue: DispatchQueue(label: "benchmark"))
        return queue
    }

    static func time(_ count: Int, _ body: () -> Void) -> Double {
        let start = ContinuousClock.now
        body()
        return start.duration(to: .now) / .nanoseconds(1) / Double(count)
    }
}
