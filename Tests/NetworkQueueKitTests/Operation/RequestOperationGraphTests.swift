import Foundation
import LoopbackHTTP
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RequestOperationGraphTests {
    /// Where the operations of a graph are run.
    enum Place: CaseIterable {
        /// All of them in one OperationQueue.
        case operationQueue
        /// The requests in a RequestQueue, the blocks in an OperationQueue.
        case twoQueues
    }

    /// A graph of requests and blocks, and what has been seen of its operations.
    private final class Graph: Sendable {
        private struct State {
            var operations: [Operation] = []
            var dependencies: [[Int]] = []
            var startCounts: [Int] = []
            var faults: [String] = []
        }

        private let state = Guarded(State())

        func append(_ operation: Operation, after dependencies: [Int]) {
            for number in dependencies { operation.addDependency(self.operation(number)) }
            state.withLock { state in
                state.operations.append(operation)
                state.dependencies.append(dependencies)
                state.startCounts.append(0)
            }
        }

        private func operation(_ number: Int) -> Operation {
            state.withLock { $0.operations[number] }
        }

        /// Notes that an operation runs, and a fault unless all that it depends on have ended.
        func noteStart(_ number: Int) {
            let dependencies = state.withLock { state in
                state.startCounts[number] += 1
                return state.dependencies[number]
            }
            for dependency in dependencies where !operation(dependency).isFinished {
                state.withLock { $0.faults.append("\(number) runs before \(dependency) has ended") }
            }
        }

        var startCounts: [Int] { state.withLock { $0.startCounts } }
        var faults: [String] { state.withLock { $0.faults } }
    }

    @Test(arguments: Place.allCases)
    func `Two hundred operations that depend on one another complete in a legal order, for twenty seeds`(
        place: Place
    ) async {
        for seed in 0..<20 as Range<UInt64> { await run(place, seed: seed) }
    }

    private func run(_ place: Place, seed: UInt64) async {
        var random = SplitMix64(seed: seed)
        let graph = Graph()
        let count = 200
        let transport = ScriptedTransport(isSynchronous: seed.isMultiple(of: 3), keepsExchanges: false) { exchange in
            graph.noteStart(Int(exchange.url.lastPathComponent) ?? -1)
            return exchange.url.path().hasSuffix("7") ? .fail(.timedOut) : .ok()
        }
        let rig = QueueRig(transport)
        let limit = [1, 2, 8, OperationQueue.defaultMaxConcurrentOperationCount].randomElement(using: &random) ?? 1
        let operationQueue = OperationQueue()
        operationQueue.maxConcurrentOperationCount = limit
        var configuration = RequestQueue.Configuration()
        configuration.maxConcurrentRequestCount = max(limit, 0)
        let requestQueue = RequestQueue(configuration: configuration, transport: transport)

        var operations: [Operation] = []
        var cancelled: Set<Int> = []
        for number in 0..<count {
            let isRequest = Bool.random(using: &random)
            let operation = isRequest ? rig.makeStandalone("\(number)") : BlockOperation { graph.noteStart(number) }
            let reach = max(0, number - 30)
            let dependencies = (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in
                number == 0 ? nil : Int.random(in: reach..<number, using: &random)
            }
            graph.append(operation, after: Array(Set(dependencies)))
            if Int.random(in: 0..<20, using: &random) == 0 { cancelled.insert(number) }
            operations.append(operation)
        }
        for operation in operations.shuffled(using: &random) {
            switch (place, operation as? RequestOperation) {
            case (.twoQueues, let request?): requestQueue.add(request)
            default: operationQueue.addOperation(operation)
            }
        }
        for number in cancelled { operations[number].cancel() }

        await onThread { [operations] in for operation in operations { operation.waitUntilFinished() } }
        #expect(operations.allSatisfy { $0.isFinished } && graph.faults.isEmpty, "seed \(seed): \(graph.faults)")
        for (number, starts) in graph.startCounts.enumerated() {
            #expect(starts == 1 || starts == 0 && cancelled.contains(number), "seed \(seed): \(number) ran \(starts)×")
        }
        let requestCount = operations.count { $0 is RequestOperation }
        #expect(Set(await rig.texts(requestCount)).count == requestCount, "seed \(seed)")
    }
}
