import CurlLoopBench
import Dispatch
import Foundation
import NetworkQueueKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How much memory a waiting request takes.
enum QueueMemory {
    /// Bytes for each request in the queue beyond its `URLRequest`; `nil` where the allocator does not tell.
    static func bytesPerRequest(_ count: Int) -> Double? {
        let requests = (0..<count).compactMap { number in
            URL(string: "http://127.0.0.1/files/\(number)").map { URLRequest(url: $0) }
        }
        let queue = QueueScenario.makeQueue()
        let before = heap_bytes_in_use()
        for request in requests { queue.add(request) }
        let after = heap_bytes_in_use()
        withExtendedLifetime(requests) {}
        queue.reset()
        return before < 0 ? nil : Double(after - before) / Double(count)
    }
}
