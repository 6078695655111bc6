import Dispatch
import NetworkQueueKit
import NetworkQueueTesting

/// The two queues, for what both can do by the same names.
package enum QueueKind: CaseIterable, Sendable {
    case requestQueue, networkQueue

    /// A queue whose requests start at once, and in which a failure cancels no other.
    ///
    /// - Parameter callbacks: where callbacks run. Default: where they do for such a queue, or a serial queue.
    package func makeQueue(
        over transport: ScriptedTransport, limit: Int = 2, callbacks: DispatchQueue? = nil,
        timekeeper: any Timekeeper = SystemTimekeeper()
    ) -> any RequestQueueing {
        switch self {
        case .requestQueue:
            var configuration = RequestQueue.Configuration()
            configuration.maxConcurrentRequestCount = limit
            configuration.callbackQueue = callbacks
            return RequestQueue(configuration: configuration, transport: transport, timekeeper: timekeeper)
        case .networkQueue:
            var configuration = NetworkQueue.Configuration()
            configuration.maxConcurrentRequestCount = limit
            configuration.showsAccurateProgress = false
            configuration.cancelsAllOnFailure = false
            let queue = NetworkQueue(
                configuration: configuration, transport: transport,
                delegateQueue: callbacks ?? DispatchQueue(label: "test"),
                timekeeper: timekeeper)
            queue.go()
            return queue
        }
    }
}
