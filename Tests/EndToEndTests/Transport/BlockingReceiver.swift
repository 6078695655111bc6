#if canImport(Glibc)
    import Foundation
    @testable import NetworkQueueKit

    /// A receiver whose end can be waited for without Dispatch, which ends the process when it lacks descriptors.
    final class BlockingReceiver: ExchangeReceiver {
        private let condition = NSCondition()
        private let state = Guarded<(hasSent: Bool, isComplete: Bool, error: URLError?)>((false, false, nil))

        var isComplete: Bool { state.withLock { $0.isComplete } }
        /// Whether content has been sent, which takes a connection.
        var hasSent: Bool { state.withLock { $0.hasSent } }

        func wait() -> URLError? {
            condition.lock()
            defer { condition.unlock() }
            while !state.withLock({ $0.isComplete }) { condition.wait() }
            return state.withLock { $0.error }
        }

        func exchangeDidSend(totalBytes: Int64) { if totalBytes > 0 { state.withLock { $0.hasSent = true } } }
        func exchangeDidReceive(head: ResponseHead) -> ExchangeDisposition { .proceed }
        func exchangeDidReceive(body: UnsafeRawBufferPointer) -> ExchangeDisposition { .proceed }
        func exchangeDidComplete(error: URLError?) {
            condition.lock()
            state.withLock { state in
                state.isComplete = true
                state.error = error
            }
            condition.signal()
            condition.unlock()
        }
    }
#endif
