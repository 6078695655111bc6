import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

/// A transport that never answers; a process that is about to end needs no script.
private struct SilentTransport: Transport {
    private final class Handle: ExchangeHandle {
        func cancel() {}
    }

    func start(_ exchange: HTTPExchange, receiver: any ExchangeReceiver) -> any ExchangeHandle { Handle() }
}

/// A wrong use of an operation, which ends the process with a text.
enum Misuse: String, CaseIterable, Codable {
    case addedTwice, addedAfterItsEnd, addedToTwoQueues, startedInAQueue, startedTwice, addedAfterItsStart
    case startedBeforeItsDependency

    var text: String {
        self == .startedBeforeItsDependency
            ? " cannot start before the operations that it depends on have finished."
            : "GET http://host.test/a was already added or started; create a new RequestOperation."
    }

    func happen() {
        let transport = SilentTransport()
        let (queue, operation) = (RequestQueue(transport: transport), RequestOperation(NetworkRequest(.test("a"))))
        switch self {
        case .addedTwice:
            queue.add(operation)
            queue.add(operation)
        case .addedAfterItsEnd:
            queue.add(operation)
            queue.isSuspended = true
            operation.cancel()
            queue.add(operation)
        case .addedToTwoQueues:
            queue.add(operation)
            NetworkQueue(transport: transport).add(operation)
        case .startedInAQueue:
            queue.isSuspended = true
            queue.add(operation)
            operation.start()
        case .startedTwice, .addedAfterItsStart, .startedBeforeItsDependency:
            operation.setStandalone(transport: transport, timekeeper: ManualClock())
            if self == .startedBeforeItsDependency { operation.addDependency(RequestOperation(.get(.test("b")))) }
            operation.start()
            if self == .startedTwice { operation.start() } else { queue.add(operation) }
        }
    }
}

@Suite(.timeLimit(.minutes(10)))
struct RequestQueueMisuseTests {
    @Test(arguments: Misuse.allCases)
    func `Adding or starting an operation twice, or one that has to wait for another, ends the process`(
        misuse: Misuse
    ) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [misuse = misuse as Misuse] in misuse.happen()
        }
        // In debug builds `precondition` would say it, too, in release builds it says nothing.
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(misuse.text), "\(text)")
    }
}
