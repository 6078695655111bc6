import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// When `isFinished` turns true, and what waits for that.
@Suite(.timeLimit(.minutes(10)))
struct RequestOperationFinishTests {
    private let callbacks = DispatchQueue(label: "RequestOperationFinishTests")

    private func requestRig(
        _ transport: ScriptedTransport = ScriptedTransport { _ in .ok() }, limit: Int = 2
    ) -> QueueRig<RequestQueue> {
        QueueRig.requestQueue(transport) {
            $0.callbackQueue = callbacks
            $0.maxConcurrentRequestCount = limit
        }
    }

    private func operation(
        _ path: String, handler: RequestOperation.CompletionHandler? = nil
    ) -> RequestOperation {
        let operation = RequestOperation(NetworkRequest(.test(path)))
        if let handler { operation.completionHandler = handler }
        return operation
    }

    // MARK: When it turns true

    @Test func `isFinished waits for the completion handler, and nothing else does`() async throws {
        let rig = requestRig(limit: 1)
        callbacks.suspend()
        let first = rig.add("a")
        let response = try await first.response()
        #expect(response.head.statusCode == 200 && first.status == .finished && (try? first.result?.get()) != nil)
        #expect(!first.isExecuting && !first.isFinished)
        // The slot is free, and the queue's counts do not include it.
        let second = rig.add("b")
        _ = try await second.response()
        #expect(rig.queue.requestCount == 0 && !second.isFinished)
        callbacks.resume()
        #expect(await rig.texts(2) == ["/a ok", "/b ok"])
        await onThread { second.waitUntilFinished() }
        #expect(first.isFinished && second.isFinished)
    }

    @Test func `isFinished waits for the delegate's last call in a NetworkQueue`() async throws {
        let values = Gathering<Bool>()
        let rig = QueueRig(
            ScriptedTransport { _ in .ok() },
            onEvent: { _, event in
                if case .didFinish(let operation) = event { values.add(operation.isFinished) }
            })
        rig.callbacks.suspend()
        let operation = rig.queue.add(.test("a"))
        rig.queue.go()
        _ = try await operation.response()
        #expect(!operation.isFinished)
        rig.callbacks.resume()
        #expect(await values.wait(count: 1) == [false])
        #expect(await eventually { operation.isFinished })
    }

    @Test func `isFinished is true of all operations when the drain of a NetworkQueue is reported`() async {
        let operations = Gathering<RequestOperation>()
        let values = Gathering<Bool>()
        let rig = QueueRig(
            ScriptedTransport { _ in .ok() },
            onEvent: { _, event in
                guard event.kind == .queueDidFinish else { return }
                for operation in operations.values { values.add(operation.isFinished) }
            })
        for operation in rig.add(3) { operations.add(operation) }
        await rig.queue.run()
        #expect(values.values == [true, true, true])
    }

    @Test func `isFinished turns true at the end in a NetworkQueue without delegate and handlers`() async throws {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        rig.queue.delegate = nil
        rig.callbacks.suspend()
        let plain = rig.queue.add(.test("a"))
        let withHandler = rig.queue.add(.test("b")) { _, _, _ in }
        rig.queue.go()
        _ = try await plain.response()
        #expect(await eventually { plain.isFinished })
        _ = try await withHandler.response()
        #expect(!withHandler.isFinished)
        rig.callbacks.resume()
        #expect(await eventually { withHandler.isFinished })
    }

    @Test(arguments: [false, true])
    func `isFinished turns true when reset() discards the callbacks`(hasEnded: Bool) async throws {
        let rig = QueueRig(ScriptedTransport { _ in hasEnded ? .ok() : .hold })
        rig.callbacks.suspend()
        let operation = rig.queue.add(.test("a")) { _, _, _ in Issue.record("called after reset()") }
        rig.queue.go()
        await rig.transport.waitForExchanges(1)
        if hasEnded { _ = try await operation.response() }
        #expect(!operation.isFinished)
        rig.queue.reset()
        #expect(await eventually { operation.isFinished })
        rig.callbacks.resume()
        // What came before has been delivered when this has.
        await rig.queue.run()
    }

    // MARK: What depends on it

    @Test func `A dependent operation is ready when the handler of the first has returned, in any queue`() async {
        let transport = ScriptedTransport { _ in .ok() }
        let rig = requestRig(transport)
        let gate = DispatchSemaphore(value: 0)
        let entered = Gathering<Void>()
        let first = operation("1") { _, _, _ in
            entered.add(())
            gate.wait()
        }
        let second = operation("2")
        second.addDependency(first)
        let block = BlockOperation {}
        block.addDependency(first)
        rig.queue.add(second)
        rig.queue.add(first)
        _ = await entered.wait(count: 1)
        #expect(first.status == .finished && !second.isReady && !block.isReady)
        #expect(transport.exchanges.map(\.path) == ["/1"])
        gate.signal()
        await transport.waitForExchanges(2)
        #expect(block.isReady)
    }

    // MARK: waitUntilFinished()

    @Test(arguments: [false, true])
    func `run() returns when all its operations are finished`(isSynchronous: Bool) async {
        let rig = QueueRig(ScriptedTransport(isSynchronous: isSynchronous) { _ in .ok() })
        for _ in 0..<50 {
            let operations = rig.queue.add(contentsOf: [.get(.test("a")), .get(.test("b"))])
            await rig.queue.run()
            #expect(operations.allSatisfy { $0.isFinished })
            rig.queue.reset()
        }
    }

    /// A callback about an operation.
    enum Callback: String, CaseIterable, Codable {
        case handler, firstOfTheDelegate, lastOfTheDelegate
    }

    @Test(arguments: Callback.allCases)
    func `waitUntilFinished() inside a callback about the operation itself traps, with a text`(
        callback: Callback
    ) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [callback = callback as Callback] in
            let rig = QueueRig(
                ScriptedTransport { _ in .ok() },
                onEvent: { _, event in
                    switch (callback, event) {
                    case (.firstOfTheDelegate, .didStart(let operation)),
                        (.lastOfTheDelegate, .didFinish(let operation)):
                        operation.waitUntilFinished()
                    default: break
                    }
                })
            let operation = rig.queue.add(.test("a"))
            if callback == .handler {
                operation.completionHandler = { [unowned operation] _, _, _ in operation.waitUntilFinished() }
            }
            await rig.queue.run()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("waitUntilFinished()") && text.contains("inside a callback"), "\(text)")
    }

    @Test func `Several threads may wait in waitUntilFinished(), at the end and after it`() async {
        let rig = requestRig(ScriptedTransport())
        let operation = rig.add("a")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { await onThread { operation.waitUntilFinished() } } }
            group.addTask { await rig.transport.exchange(0).answer(.ok()) }
        }
        await onThread { operation.waitUntilFinished() }
        #expect(operation.isFinished && rig.outcomes.values.count == 1)
    }

    @Test(arguments: QueueKind.allCases)
    func `waitUntilFinished() does not keep the queue from being released`(kind: QueueKind) async {
        var queue: (any RequestQueueing)? = kind.makeQueue(over: ScriptedTransport())
        queue?.isSuspended = true
        let ends = Gathering<NetworkError.Code?>()
        let operation = operation("a") { _, _, error in ends.add(error?.code) }
        queue?.add(operation)
        let wait = Task { await onThread { operation.waitUntilFinished() } }
        #expect(await eventually { operation.blocksThread })
        withExtendedLifetime(queue) {}
        queue = nil
        await wait.value
        #expect(operation.isFinished && ends.values == [.cancelled])
    }
}
