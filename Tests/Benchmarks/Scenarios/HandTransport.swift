import Dispatch
import NetworkQueueKit

/// Answers exchanges one after the other on the thread that asks it to, so that no thread waits for another in between.
final class HandTransport: Transport {
    private final class Handle: ExchangeHandle {
        func cancel() {}
    }

    private static let handle = Handle()
    private let waiting = Guarded<[any ExchangeReceiver]>([])
    private let hasStarted = DispatchSemaphore(value: 0)
    private let head: ResponseHead

    init(head: ResponseHead) { self.head = head }

    func start(_ exchange: HTTPExchange, receiver: any ExchangeReceiver) -> any ExchangeHandle {
        waiting.withLock { $0.append(receiver) }
        hasStarted.signal()
        return Self.handle
    }

    /// Answers `count` exchanges with an empty response.
    func answer(_ count: Int) {
        for _ in 0..<count {
            hasStarted.wait()
            let receiver = waiting.withLock { $0.removeLast() }
            _ = receiver.exchangeDidReceive(head: head)
            receiver.exchangeDidComplete(error: nil)
        }
    }
}
