import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RunWhileAddingTests {
    private struct Fault: Error {}

    @Test func `A queue that has nothing to do does not drain while the body of run() goes on`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok(Data("abc".utf8)) })
        let summary = await rig.queue.run {
            for number in 1...3 {
                let operation = rig.queue.add(.test("\(number)"))
                _ = try? await operation.response()
                #expect(rig.recorder.summaries.isEmpty)
                #expect(rig.queue.isRunning && rig.queue.progress.counts.finished == number)
                #expect(rig.queue.progress.fractionCompleted < 1)
            }
        }
        #expect(summary.counts == .init(finished: 3))
        #expect(summary.bytesReceived == 9)
        #expect(rig.recorder.summaries.map(\.counts) == [summary.counts])
        #expect(rig.queue.progress.fractionCompleted == 1 && !rig.queue.isRunning)
    }

    @Test func `run() counts the requests from before its body, and waits for those that run after it`() async {
        let rig = QueueRig()
        rig.add(1)
        let summary = await rig.queue.run {
            rig.queue.add(.test("late"))
            await rig.transport.waitForExchanges(2)
            rig.transport.setScript { _ in .ok() }
            rig.queue.add(.test("later"))
            for exchange in rig.transport.exchanges.prefix(2) { exchange.answer(.ok()) }
        }
        #expect(summary.counts == .init(finished: 3))
        #expect(rig.recorder.summaries.count == 1)
    }

    @Test func `run() with a body on a drained queue starts a run of its own`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        for count in [1, 0, 2] {
            #expect(await rig.queue.run { rig.add(count) }.counts == .init(finished: count))
        }
        #expect(rig.recorder.summaries.map(\.counts.total) == [1, 0, 2])
    }

    @Test func `An error in the body of run() cancels all requests, and is thrown after the drain`() async {
        let rig = QueueRig()
        await #expect(throws: Fault.self) {
            try await rig.queue.run {
                rig.add(3)
                throw Fault()
            }
        }
        #expect(rig.recorder.summaries.map(\.counts) == [.init(cancelled: 3)])
    }

    @Test func `Canceling the task of run() cancels the requests that its body has added`() async {
        let rig = QueueRig()
        let (texts, _) = AsyncStream.makeStream(of: String.self)
        let task = Task {
            await rig.queue.run {
                rig.add(2)
                // Ends with the task.
                for await text in texts { rig.queue.add(.test(text)) }
            }
        }
        await rig.transport.waitForExchanges(2)
        task.cancel()
        #expect(await task.value.counts == .init(cancelled: 2))
    }

    @Test func `A reset in the body of run() ends it with the counts until then`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        let summary = await rig.queue.run {
            _ = try? await rig.queue.add(.test("1")).response()
            rig.queue.reset()
            rig.add(1)
        }
        #expect(summary.counts == .init(finished: 1))
        // The one that was added afterwards waits for `go()`, and is not held by what has gone.
        #expect(rig.recorder.summaries.isEmpty)
        rig.queue.delegate = rig.recorder
        #expect(await rig.queue.run().counts == .init(finished: 1))
        #expect(rig.recorder.summaries.count == 1)
    }

    @Test func `Two calls of run() that overlap drain once, when both bodies have ended`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        let gate = AsyncStream.makeStream(of: Void.self)
        async let first = rig.queue.run {
            for await _ in gate.stream {}
            rig.add(1)
        }
        async let second = rig.queue.run {
            rig.add(2)
            gate.continuation.finish()
        }
        let total = await max(first.counts.total, second.counts.total)
        #expect(total == 3 || rig.recorder.summaries.count == 2)
        #expect(rig.recorder.summaries.map(\.counts.total).reduce(0, +) == 3)
    }

    @Test func `The body of run() may add ten thousand requests without awaiting any`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        let summary = await rig.queue.run {
            for number in 0..<10_000 {
                rig.queue.add(.test("\(number)"))
                if number.isMultiple(of: 1000) { await Task.yield() }
            }
        }
        #expect(summary.counts == .init(finished: 10_000))
        #expect(rig.recorder.summaries.count == 1)
    }

    @MainActor
    @Test func `The body of run() runs in the actor that called it`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        var count = 0
        await rig.queue.run {
            MainActor.assertIsolated()
            await Task.yield()
            count += 1
            rig.add(count)
        }
        #expect(count == 1)
    }
}
