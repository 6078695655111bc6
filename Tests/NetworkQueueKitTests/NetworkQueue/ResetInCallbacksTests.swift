import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ResetInCallbacksTests {
    @Test(arguments: NetworkQueue.Event.Kind.allCases, [false, true])
    func `Nothing is told after a reset in a callback, and the queue can be used again`(
        kind: NetworkQueue.Event.Kind, isSynchronous: Bool
    ) async {
        let isReset = AsyncStream.makeStream(of: Void.self)
        let rig = QueueRig.forEveryEvent(
            isSynchronous: isSynchronous,
            onEvent: { queue, event in
                guard event.kind == kind else { return }
                queue.reset()
                isReset.continuation.finish()
            })
        rig.addForEveryEvent()
        rig.add(20)
        rig.queue.go()
        for await _ in isReset.stream {}
        let told = rig.recorder.events.count
        #expect(rig.recorder.events.last?.kind == kind)

        let second = DelegateRecorder()
        rig.queue.delegate = second
        #expect(!rig.queue.isRunning && rig.queue.progress.counts.total == 0)
        rig.queue.add(.test("new"))
        rig.queue.go()
        await second.waitForDrain()
        #expect(second.summaries.map(\.counts) == [.init(finished: 1)])
        #expect(rig.recorder.events.count == told)
    }

    @Test func `A reset in an operation's own handler keeps the delegate from hearing of its end`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        let isReset = AsyncStream.makeStream(of: Void.self)
        let operation = RequestOperation(NetworkRequest(.test("a")))
        operation.completionHandler = { [queue = rig.queue] _, _, _ in
            queue.reset()
            isReset.continuation.finish()
        }
        rig.queue.add(operation)
        rig.queue.go()
        for await _ in isReset.stream {}
        rig.settle()
        #expect(rig.recorder.story(of: operation) == ["start", "head 200"])
    }

    @Test func `A reset in a handler keeps the handlers that wait for their turn from being called`() async throws {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        let calls = Gathering<RequestID>()
        let operations = (0..<5).map { RequestOperation(NetworkRequest(.test("\($0)"))) }
        for operation in operations {
            operation.completionHandler = { [queue = rig.queue, id = operation.id] _, _, _ in
                calls.add(id)
                queue.reset()
            }
            rig.queue.add(operation)
        }
        // All have ended when the first handler is called.
        rig.callbacks.suspend()
        rig.queue.go()
        for operation in operations { _ = try await operation.response() }
        rig.callbacks.resume()
        rig.settle()
        #expect(calls.values.count == 1 && operations.allSatisfy(\.isFinished))
    }

    @Test func `A reset may be followed by a new batch in the same callback`() async {
        let second = DelegateRecorder()
        let rig = QueueRig(
            ScriptedTransport(isSynchronous: true) { _ in .ok() },
            onEvent: { queue, event in
                guard event.kind == .didFinish else { return }
                queue.reset()
                queue.delegate = second
                for number in 0..<3 { queue.add(.test("new\(number)")) }
                queue.go()
            })
        rig.add(50)
        rig.queue.go()
        await second.waitForDrain()
        #expect(second.summaries.map(\.counts) == [.init(finished: 3)])
        #expect(rig.recorder.events.count { $0.kind == .didFinish } == 1 && rig.recorder.summaries.isEmpty)
    }

    @Test func `A reset before go() ends the requests as canceled and does not report them`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        let operations = rig.add(3)
        rig.queue.reset()
        #expect(operations.allSatisfy { $0.status == .cancelled && $0.isFinished })
        rig.queue.delegate = rig.recorder
        await rig.queue.run()
        #expect(rig.recorder.events.map(\.kind) == [.didUpdate, .queueDidFinish])
        #expect(rig.transport.counts.started == 0)
    }

    @Test func `A reset ends the wait for the drain in run(), events() and waitUntilFinished()`() async {
        let rig = QueueRig()
        rig.add(3)
        let events = rig.queue.events()
        async let summary = rig.queue.run()
        await rig.transport.waitForExchanges(3)
        async let waited: Void = onThread { [queue = rig.queue] in queue.waitUntilFinished() }
        rig.queue.reset()
        #expect(await summary.counts.total == 3)
        await waited
        for await _ in events {}
    }

    @Test func `A reset before the drain has been told ends run() and the streams of the run`() async {
        let callbacks = DispatchQueue(label: "callbacks")
        let queue = NetworkQueue(transport: ScriptedTransport(), delegateQueue: callbacks)
        callbacks.suspend()
        let ends = Gathering<String>()
        let stream = queue.events()
        Task {
            for await _ in stream {}
            ends.add("stream")
        }
        Task {
            let summary = await queue.run()
            ends.add("run \(summary.counts.total)")
        }
        while queue.progress.phase != .finished { await Task.yield() }
        queue.reset()
        #expect(Set(await ends.wait(count: 2)) == ["stream", "run 0"])
        callbacks.resume()
    }

    @Test(arguments: [NetworkQueue.Event.Kind.didUpdate, .queueDidFinish])
    func `A reset in a callback about the drain ends run()`(kind: NetworkQueue.Event.Kind) async {
        let rig = QueueRig(
            ScriptedTransport { _ in .ok() },
            onEvent: { queue, event in
                if event.kind == kind { queue.reset() }
            })
        rig.add(2)
        #expect(await rig.queue.run().counts.finished == 2)
    }

    @Test func `An operation that a reset has thrown away releases its handlers`() async {
        let rig = QueueRig(ScriptedTransport(keepsExchanges: false))
        weak var kept: Token?
        do {
            let token = Token()
            kept = token
            let operation = RequestOperation(NetworkRequest(.test("a")))
            // A cycle that is easily written: the handler keeps the operation that keeps it.
            operation.completionHandler = { _, _, _ in _ = (token, operation) }
            rig.queue.add(operation)
            rig.queue.reset()
        }
        #expect(kept == nil)
    }

    private final class Token: Sendable {}
}
