import CurlLoopBench
import Dispatch
import Foundation
import NetworkQueueKit

/// How much memory a waiting request takes beyond its `URLRequest`, in bytes.
struct QueueMemory {
    /// Of its operation alone.
    var operation: Double
    /// Of its operation and its place in the queue.
    var queued: Double

    /// `nil` where the allocator does not tell.
    static func measure(_ count: Int) -> QueueMemory? {
        guard heap_bytes_in_use() >= 0 else { return nil }
        let requests = (0..<count).compactMap { number in
            URL(string: "http://127.0.0.1/files/\(number)").map { URLRequest(url: $0) }
        }
        var operations: [RequestOperation] = []
        operations.reserveCapacity(count)
        let first = heap_bytes_in_use()
        for request in requests { operations.append(RequestOperation(request: request)) }
        let operation = Double(heap_bytes_in_use() - first) / Double(count)
        operations = []

        let queue = QueueScenario.makeQueue()
        let second = heap_bytes_in_use()
        for request in requests { queue.add(request) }
        let queued = Double(heap_bytes_in_use() - second) / Double(count)
        withExtendedLifetime(requests) {}
        queue.reset()
        return QueueMemory(operation: operation, queued: queued)
    }
}
