import Foundation
import LoopbackHTTP
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RequestQueueStressTests {
    /// Counts completions and watches operations without keeping them.
    private final class Census: Sendable {
        struct Reference: Sendable {
            nonisolated(unsafe) weak var operation: RequestOperation?
        }

        private struct State {
            var completions: [Int: Int] = [:]
            var cancelledCount = 0
            var references: [Reference] = []
        }

        private let state = Guarded(State())
        let ends = Gathering<Void>()

        func watch(_ operation: RequestOperation) {
            let reference = Reference(operation: operation)
            state.withLock { $0.references.append(reference) }
        }

        func note(_ number: Int, _ error: NetworkError?) {
            state.withLock { state in
                state.completions[number, default: 0] += 1
                if error?.code == .cancelled { state.cancelledCount += 1 }
            }
            ends.add(())
        }

        var completions: [Int: Int] { state.withLock { $0.completions } }
        var cancelledCount: Int { state.withLock { $0.cancelledCount } }
        var aliveCount: Int { state.withLock { $0.references }.count { $0.operation != nil } }
    }

    @Test(arguments: [(false, UInt64(1)), (true, 2)])
    func `Four thousand operations, canceled at random by four threads, complete once and leave nothing behind`(
        isSynchronous: Bool, seed: UInt64
    ) async {
        let count = 4_000
        let transport = ScriptedTransport(isSynchronous: isSynchronous, keepsExchanges: false) { _ in .ok() }
        var configuration = RequestQueue.Configuration()
        configuration.maxConcurrentRequestCount = 8
        configuration.mode = seed.isMultiple(of: 2) ? .lastInFirstOut : .firstInFirstOut
        let queue = RequestQueue(configuration: configuration, transport: transport)
        let census = Census()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    await onThread {
                        var random = SplitMix64(seed: seed * 4 + UInt64(thread))
                        var recent: [RequestOperation] = []
                        for number in stride(from: thread, to: count, by: 4) {
                            let operation = RequestOperation(NetworkRequest(.test("\(number)")))
                            operation.completionHandler = { census.note(number, $2) }
                            census.watch(operation)
                            if Int.random(in: 0..<20, using: &random) == 0 { operation.cancel() }
                            queue.add(operation)
                            recent.append(operation)
                            guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
                            let index = Int.random(in: 0..<recent.count, using: &random)
                            switch Int.random(in: 0..<3, using: &random) {
                            case 0: queue.cancel(recent[index])
                            case 1: recent[index].cancel()
                            default: queue.cancel(recent[index].request.urlRequest)
                            }
                            if recent.count > 50 { recent.removeAll() }
                            if Int.random(in: 0..<500, using: &random) == 0 { queue.cancelAllRequests() }
                        }
                    }
                }
            }
        }
        _ = await census.ends.wait(count: count)
        #expect(queue.requestCount == 0 && queue.requests.isEmpty, "seed \(seed)")
        let completions = census.completions
        #expect(completions.count == count && completions.values.allSatisfy { $0 == 1 }, "seed \(seed)")
        #expect(census.cancelledCount > 0 && census.cancelledCount < count, "seed \(seed)")
        #expect(await eventually { transport.counts.isQuiet })
        #expect(await eventually { census.aliveCount == 0 }, "seed \(seed): \(census.aliveCount) are alive")
        #expect(census.ends.values.count == count)
    }
}
