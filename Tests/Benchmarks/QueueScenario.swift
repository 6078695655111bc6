import Dispatch
import Foundation
import NetworkQueueKit

/// What the queue itself costs for each request, with a transport that answers at once.
enum QueueScenario {
    static func run(sizes: [Int]) -> [String] {
        // The first of everything pays for what is set up once.
        _ = measure(1_000)
        var lines = ["ns per request   create      add  run (start, end, next)  cancel each  at random  cancel all"]
        var first: [Double]?
        for size in sizes {
            // The best of several: the queue cannot be faster than it is, only the machine slower.
            let runs = (0..<max(1, min(20, 200_000 / size))).map { _ in measure(size) }
            let best = (0..<6).map { column in runs.map { $0[column] }.min() ?? .nan }
            let reference = first ?? best
            first = reference
            let ratios = zip(best, reference).map { Measurement.format("%.2f", $0 / $1) }
            lines.append(
                [
                    Measurement.format("%10.0f", Double(size)), Measurement.format("%14.0f", best[0]),
                    Measurement.format("%9.0f", best[1]), Measurement.format("%14.0f", best[2]),
                    Measurement.format("%19.0f", best[3]), Measurement.format("%11.0f", best[4]),
                    Measurement.format("%12.0f", best[5]),
                    "   × first:", ratios.joined(separator: " "),
                ].joined())
        }
        return lines + [""] + DuplicateScenario.run(sizes: sizes)
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

    private static func makeQueue() -> NetworkQueue {
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
