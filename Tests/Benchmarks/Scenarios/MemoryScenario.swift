import CurlLoopBench
import Dispatch
import Foundation
import NetworkQueueKit

/// Requests to memory that are not kept: finished ones must be released.
struct MemoryScenario {
    /// Notes the memory in use when the first ten thousand have finished.
    private final class Watch: NetworkQueueDelegate, Sendable {
        private struct State {
            var finished = 0
            var bytes: Int64 = 0
            var early: Int?
        }

        private let state = Guarded(State())
        private let mark: Int

        var bytes: Int64 { state.withLock { $0.bytes } }
        var early: Int? { state.withLock { $0.early } }

        init(mark: Int) { self.mark = mark }

        func networkQueue(_ queue: NetworkQueue, didFinish operation: RequestOperation) {
            let count = Int64(operation.data?.count ?? 0)
            let isMark = state.withLock { state in
                state.finished += 1
                state.bytes += count
                return state.finished == mark
            }
            guard isMark else { return }
            let early = ProcessMemory.current
            state.withLock { $0.early = early }
        }
    }

    let options: BenchmarkOptions

    func run(_ contender: Contender) async throws -> Measurement {
        guard let url = options.url else { throw BenchmarkFailure("--url is needed") }
        guard contender == .networkQueueCurl else {
            throw BenchmarkFailure("\(contender.rawValue) is not a contender for memory")
        }
        var configuration = NetworkQueue.Configuration()
        configuration.maxConcurrentRequestCount = options.concurrency
        configuration.showsAccurateProgress = false
        let queue = NetworkQueue(
            configuration: configuration, transport: try Contender.makeCurlTransport(),
            delegateQueue: DispatchQueue(label: "benchmark"))
        let watch = Watch(mark: min(10_000, options.requests))
        queue.delegate = watch
        let request = URLRequest(url: url)
        var final: Int?
        var waiting: Int?
        var measurement = try await Measurement.of(
            scenario: options.label ?? Scenario.memory.rawValue, contender: contender.rawValue,
            requests: options.requests
        ) {
            let before = heap_bytes_in_use()
            for _ in 0..<options.requests { queue.add(request) }
            if before >= 0 { waiting = Int(heap_bytes_in_use() - before) / options.requests }
            let summary = await queue.run()
            guard summary.isSuccess else {
                throw BenchmarkFailure("\(summary.counts) \(summary.firstFailure?.error.description ?? "")")
            }
            final = ProcessMemory.current
            return Work(bytes: watch.bytes)
        }
        measurement.earlyResidentBytes = watch.early
        measurement.finalResidentBytes = final
        measurement.waitingRequestBytes = waiting
        return measurement
    }
}
