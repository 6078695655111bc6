import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport that never answers; a process that is about to end needs no script.
private struct SilentTransport: Transport {
    private final class Handle: ExchangeHandle {
        func cancel() {}
    }

    func start(_ exchange: HTTPExchange, receiver: any ExchangeReceiver) -> any ExchangeHandle { Handle() }
}

@Suite("Programmer errors end the process", .timeLimit(.minutes(10)))
struct RequestQueueMisuseTests {
    @Test func `adding an operation to a queue twice`() async {
        await #expect(processExitsWith: .failure) {
            let queue = RequestQueue(transport: SilentTransport())
            let operation = RequestOperation(NetworkRequest(.test("a")))
            queue.add(operation)
            queue.add(operation)
        }
    }

    @Test func `adding an operation again that has ended`() async {
        await #expect(processExitsWith: .failure) {
            let queue = RequestQueue(transport: SilentTransport())
            let operation = RequestOperation(NetworkRequest(.test("a")))
            queue.add(operation)
            queue.isSuspended = true
            operation.cancel()
            queue.add(operation)
        }
    }

    @Test func `adding an operation to two queues`() async {
        await #expect(processExitsWith: .failure) {
            let operation = RequestOperation(NetworkRequest(.test("a")))
            RequestQueue(transport: SilentTransport()).add(operation)
            NetworkQueue(transport: SilentTransport()).add(operation)
        }
    }

    @Test func `starting an operation that is in a queue`() async {
        await #expect(processExitsWith: .failure) {
            let queue = RequestQueue(transport: SilentTransport())
            queue.isSuspended = true
            queue.add(URLRequest(url: .test("a"))).start()
        }
    }

    @Test func `starting an operation twice`() async {
        await #expect(processExitsWith: .failure) {
            let operation = RequestOperation(NetworkRequest(.test("a")))
            operation.setStandalone(transport: SilentTransport(), timekeeper: ManualClock())
            operation.start()
            operation.start()
        }
    }

    @Test func `adding an operation that has been started`() async {
        await #expect(processExitsWith: .failure) {
            let operation = RequestOperation(NetworkRequest(.test("a")))
            operation.setStandalone(transport: SilentTransport(), timekeeper: ManualClock())
            operation.start()
            RequestQueue(transport: SilentTransport()).add(operation)
        }
    }

    @Test func `starting an operation before one that it depends on has ended`() async {
        await #expect(processExitsWith: .failure) {
            let operation = RequestOperation(NetworkRequest(.test("a")))
            operation.setStandalone(transport: SilentTransport(), timekeeper: ManualClock())
            operation.addDependency(RequestOperation(NetworkRequest(.test("b"))))
            operation.start()
        }
    }

    @Test func `what is no error does not: one operation each for two equal requests`() async {
        await #expect(processExitsWith: .success) {
            let queue = RequestQueue(transport: SilentTransport())
            let request = URLRequest(url: .test("a"))
            queue.add(RequestOperation(request: request))
            queue.add(RequestOperation(request: request))
            let operation = RequestOperation(request: request)
            operation.setStandalone(transport: SilentTransport(), timekeeper: ManualClock())
            operation.start()
        }
    }
}
