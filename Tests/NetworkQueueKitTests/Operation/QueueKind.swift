import Dispatch
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport

/// The two queues, for what both can do by the same names.
enum QueueKind: CaseIterable, Sendable {
    case requestQueue, networkQueue

    /// A queue whose requests start at once, and in which a failure cancels no other.
    func makeQueue(over transport: ScriptedTransport, limit: Int = 2) -> any RequestQueueing {
        switch self {
        case .requestQueue:
            var configuration = RequestQueue.Configuration()
            configuration.maxConcurrentRequestCount = limit
            return RequestQueue(configuration: configuration, transport: transport)
        case .networkQueue:
            let queue = NetworkQueue(transport: transport, delegateQueue: DispatchQueue(label: "test"))
            queue.maxConcurrentRequestCount = limit
            queue.cancelsAllOnFailure = false
            queue.go()
            return queue
        }
    }
}
