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

@Suite(.timeLimit(.minutes(10)))
struct RequestQueueMisuseTests {
    private static let once = "GET http://host.test/a was already added or started; create a new RequestOperation."
    private static let dependencies = " cannot start before the operations that it depends on have finished."

    /// What the process has said at its end. In debug builds `precondition` would say it, too, in release builds it
    /// says nothing.
    private func text(of result: ExitTest.Result?) -> String {
        result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    }

    @Test func `Adding an operation to a queue twice ends the process`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let queue = RequestQueue(transport: SilentTransport())
            let operation = RequestOperation(NetworkRequest(.test("a")))
            queue.add(operation)
            queue.add(operation)
        }
        #expect(text(of: result).contains(Self.once))
    }

    @Test func `Adding an operation again that has ended ends the process`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let queue = RequestQueue(transport: SilentTransport())
            let operation = RequestOperation(NetworkRequest(.test("a")))
            queue.add(operation)
            queue.isSuspended = true
            operation.cancel()
            queue.add(operation)
        }
        #expect(text(of: result).contains(Self.once))
    }

    @Test func `Adding an operation to two queues ends the process`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let operation = RequestOperation(NetworkRequest(.test("a")))
            RequestQueue(transport: SilentTransport()).add(operation)
            NetworkQueue(transport: SilentTransport()).add(operation)
        }
        #expect(text(of: result).contains(Self.once))
    }

    @Test func `Starting an operation that is in a queue ends the process`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let queue = RequestQueue(transport: SilentTransport())
            queue.isSuspended = true
            queue.add(URLRequest(url: .test("a"))).start()
        }
        #expect(text(of: result).contains(Self.once))
    }

    @Test func `Starting an operation twice ends the process`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let operation = RequestOperation(NetworkRequest(.test("a")))
            operation.setStandalone(transport: SilentTransport(), timekeeper: ManualClock())
            operation.start()
            operation.start()
        }
        #expect(text(of: result).contains(Self.once))
    }

    @Test func `Adding an operation that has been started ends the process`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let operation = RequestOperation(NetworkRequest(.test("a")))
            operation.setStandalone(transport: SilentTransport(), timekeeper: ManualClock())
            operation.start()
            RequestQueue(transport: SilentTransport()).add(operation)
        }
        #expect(text(of: result).contains(Self.once))
    }

    @Test func `Starting an operation before one that it depends on ends the process`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let operation = RequestOperation(NetworkRequest(.test("a")))
            operation.setStandalone(transport: SilentTransport(), timekeeper: ManualClock())
            operation.addDependency(RequestOperation(NetworkRequest(.test("b"))))
            operation.start()
        }
        #expect(text(of: result).contains(Self.dependencies))
    }

    @Test func `One operation each for two equal requests does not end the process`() async {
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
