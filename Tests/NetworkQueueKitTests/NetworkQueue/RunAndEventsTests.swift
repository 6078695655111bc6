import Foundation
import NetworkQueueKit
import Synchronization
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RunAndEventsTests {
    @Test(arguments: [false, true])
    func `run() starts the queue and returns the summary that the delegate gets`(isSynchronous: Bool) async {
        let rig = QueueRig(
            ScriptedTransport(isSynchronous: isSynchronous) { $0.url.path() == "/3" ? .status(500) : .ok() },
            configure: { $0.cancelsAllOnFailure = false })
        let operations = rig.add(5)
        let summary = await rig.queue.run()
        #expect(summary.counts == .init(finished: 4, failed: 1))
        #expect(summary.firstFailure?.operation === operations[3])
        #expect(rig.recorder.summaries.map(\.counts) == [summary.counts])
        #expect(!rig.queue.isRunning)
    }

    @Test func `run() returns the summary of a started run that nobody has awaited, and reports no other drain`() async
    {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        rig.add(3)
        rig.queue.go()
        await rig.recorder.waitForDrain()
        #expect(await rig.queue.run().counts.total == 3)
        #expect(rig.recorder.summaries.count == 1)
        #expect(await rig.queue.run().counts.total == 0)
        rig.add(2)
        await onThread { rig.queue.waitUntilFinished() }
        #expect(await rig.queue.run().counts.total == 2)
    }

    @Test func `run() returns the summary of what was added to a drained queue, although go() comes after its end`()
        async
    {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        await rig.queue.run()
        rig.add(2)
        await rig.recorder.waitForDrain(2)
        rig.queue.go()
        await rig.recorder.waitForDrain(3)
        #expect(rig.recorder.summaries.map(\.counts.total) == [0, 2, 0])
        #expect(await rig.queue.run().counts.total == 2)
        #expect(await rig.queue.run().counts.total == 0)
    }

    @Test
    func `run() after an addition to a drained queue returns its summary, whether it has ended or not`() async throws {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        await rig.queue.run()
        for _ in 0..<50 {
            let operation = rig.queue.add(.test("a"))
            if Bool.random() { _ = try await operation.response() }
            #expect(await rig.queue.run().counts == .init(finished: 1))
        }
    }

    @Test func `run() with retryFailed() in its body runs the failed requests of the run before again`() async {
        let rig = QueueRig(ScriptedTransport { _ in .fail(.timedOut) }, configure: { $0.cancelsAllOnFailure = false })
        rig.add(2)
        #expect(await rig.queue.run().counts == .init(failed: 2))
        rig.transport.setScript { _ in .ok() }
        #expect(await rig.queue.run { rig.queue.retryFailed() }.counts == .init(finished: 2))
        #expect(await rig.queue.run { rig.queue.retryFailed() }.counts == .init())
    }

    @Test func `Two calls of run() at the same time return the same summary, if neither comes too late`() async {
        let rig = QueueRig()
        rig.add(3)
        async let first = rig.queue.run()
        async let second = rig.queue.run()
        await rig.transport.waitForExchanges(3)
        // Both wait when the queue has been told to go twice.
        for exchange in rig.transport.exchanges { exchange.answer(.ok()) }
        let counts = await [first.counts, second.counts]
        #expect(counts[0] == .init(finished: 3))
        #expect(counts[1] == .init(finished: 3) || counts[1].total == 0)
    }

    @Test func `Canceling the task of run() cancels the batch`() async {
        let rig = QueueRig()
        rig.add(10)
        let task = Task { await rig.queue.run() }
        await rig.transport.waitForExchanges(4)
        task.cancel()
        #expect(await task.value.counts == .init(cancelled: 10))
    }

    @Test func `run() in a canceled task starts nothing`() async {
        let rig = QueueRig()
        rig.add(3)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await rig.queue.run()
        }
        #expect(await task.value.counts == .init(cancelled: 3))
        #expect(rig.transport.counts.started == 0)
    }

    @Test(arguments: [false, true])
    func `events() tells all that the delegate is told, and ends with the drain`(isSynchronous: Bool) async {
        let rig = QueueRig(
            ScriptedTransport(isSynchronous: isSynchronous) { $0.url.path() == "/7" ? .fail(.timedOut) : .ok() })
        rig.add(20)
        let streams = [rig.queue.events(), rig.queue.events()]
        rig.queue.go()
        for stream in streams {
            var events: [NetworkQueue.Event] = []
            for await event in stream { events.append(event) }
            await rig.recorder.waitForDrain()
            #expect(events.map(\.kind) == rig.recorder.events.map(\.kind))
            #expect(zip(events, rig.recorder.events).allSatisfy { $0.operation === $1.operation })
        }
    }

    @Test func `events() needs no delegate, and ending it early changes nothing`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        rig.queue.delegate = nil
        rig.add(5)
        let (short, long) = (rig.queue.events(), rig.queue.events())
        rig.queue.go()
        for await _ in short { break }
        var kinds: [NetworkQueue.Event.Kind] = []
        for await event in long { kinds.append(event.kind) }
        #expect(kinds.count { $0 == .didFinish } == 5 && kinds.last == .queueDidFinish)
    }

    @available(macOS 26, iOS 26, tvOS 26, visionOS 26, *)
    @Test func `events() and run() inside networkQueueDidFinish are about the next batch`() async {
        let transport = ScriptedTransport { $0.url.path() == "/held" ? .hold : .ok() }
        let isFirst = Atomic(true)
        let (nexts, next) = AsyncStream.makeStream(
            of: (AsyncStream<NetworkQueue.Event>, Task<NetworkQueue.Summary, Never>).self)
        let rig = QueueRig(
            transport,
            onEvent: { queue, event in
                guard case .queueDidFinish = event, isFirst.exchange(false, ordering: .relaxed) else { return }
                queue.add(.test("held"))
                // Immediate: it waits already when this callback returns.
                next.yield((queue.events(), Task.immediate { await queue.run() }))
                next.finish()
            })
        rig.add(2)
        rig.queue.go()
        let held = await transport.exchange(2)
        await rig.recorder.waitForDrain()
        held.answer(.ok())
        for await (events, summary) in nexts {
            #expect(await summary.value.counts == .init(finished: 1))
            var kinds: [NetworkQueue.Event.Kind] = []
            for await event in events { kinds.append(event.kind) }
            #expect(kinds.last == .queueDidFinish && kinds.contains(.didFinish))
        }
    }

    @available(macOS 26, iOS 26, tvOS 26, visionOS 26, *)
    @Test func `run() during the report of a drain returns its summary after that, though the next run has begun`()
        async
    {
        let (entered, leave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isFirst = Atomic(true)
        let rig = QueueRig(
            ScriptedTransport { $0.url.path() == "/held" ? .hold : .ok() },
            onEvent: { _, event in
                guard case .queueDidFinish = event, isFirst.exchange(false, ordering: .relaxed) else { return }
                entered.signal()
                leave.wait()
            })
        rig.add(1)
        rig.queue.go()
        await onThread { entered.wait() }
        let summaries = Gathering<NetworkQueue.Summary>()
        // Immediate: it waits already when the next run begins.
        let task = Task.immediate { summaries.add(await rig.queue.run()) }
        rig.queue.add(.test("held"))
        for _ in 0..<100 { await Task.yield() }
        #expect(summaries.values.isEmpty)
        leave.signal()
        await task.value
        #expect(summaries.values.map(\.counts) == [.init(finished: 1)] && rig.queue.isRunning)
        rig.queue.cancelAll()
    }

    // MARK: Across runs, and slow listeners

    @Test func `events(acrossRuns:) goes on after a drain and a reset, until the queue is released`() async {
        var rig: QueueRig? = QueueRig(ScriptedTransport { _ in .ok() })
        guard let events = rig?.queue.events(acrossRuns: true) else { return }
        rig?.add(1)
        rig?.queue.go()
        await rig?.recorder.waitForDrain()
        rig?.add(1)
        await rig?.recorder.waitForDrain(2)
        rig?.queue.reset()
        rig?.queue.delegate = rig?.recorder
        rig?.add(1)
        rig?.queue.go()
        await rig?.recorder.waitForDrain(3)
        rig = nil
        var kinds: [NetworkQueue.Event.Kind] = []
        for await event in events { kinds.append(event.kind) }
        let run: [NetworkQueue.Event.Kind] = [.didStart, .didReceiveHeaders, .didFinish, .didUpdate, .queueDidFinish]
        #expect(kinds == run + run + run)
    }

    @Test func `An event during whose report the delegate resets the queue still reaches the streams`() async {
        final class Resetter: NetworkQueueDelegate {
            func networkQueueDidFinish(_ queue: NetworkQueue, summary: NetworkQueue.Summary) { queue.reset() }
        }
        let delegate = Resetter()
        var rig: QueueRig? = QueueRig(ScriptedTransport { _ in .ok() })
        guard let events = rig?.queue.events(acrossRuns: true) else { return }
        rig?.queue.delegate = delegate
        rig?.add(1)
        await rig?.queue.run()
        rig = nil
        var kinds: [NetworkQueue.Event.Kind] = []
        for await event in events { kinds.append(event.kind) }
        #expect(kinds.last == .queueDidFinish)
    }

    @Test func `A stream that a reset has ended takes no later one along when it is released`() async {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        var former: AsyncStream<NetworkQueue.Event>? = rig.queue.events()
        rig.queue.reset()
        let events = rig.queue.events()
        withExtendedLifetime(former) {}
        former = nil
        rig.add(1)
        await rig.queue.run()
        var kinds: [NetworkQueue.Event.Kind] = []
        for await event in events { kinds.append(event.kind) }
        #expect(kinds == [.didStart, .didReceiveHeaders, .didFinish, .didUpdate, .queueDidFinish])
    }

    @Test func `Updates that are not read give way to newer ones of the same run`() async {
        let rig = QueueRig()
        let events = rig.queue.events(acrossRuns: true)
        for run in 0..<2 {
            let operation = rig.add(1)[0]
            rig.queue.go()
            let exchange = await rig.transport.exchange(run)
            exchange.receive(headers: ["Content-Length": "100"])
            for number in 1...100 {
                exchange.receive(Data(count: 1))
                let count = rig.recorder.updates.count
                rig.advance(by: .seconds(1))
                await rig.recorder.wait { events in
                    events.count { $0.kind == .didUpdate } > count
                }
                #expect(operation.status == .running, "\(number)")
            }
            exchange.end()
            await rig.recorder.waitForDrain(run + 1)
        }
        #expect(rig.recorder.updates.count > 200)
        var updates: [NetworkQueue.Progress] = []
        var drains = 0
        for await event in events {
            if case .didUpdate(let progress) = event { updates.append(progress) }
            if case .queueDidFinish = event { drains += 1 }
            if drains == 2 { break }
        }
        #expect(updates.map(\.phase) == [.finished, .finished])
    }

    @Test func `A listener that stops reading is left behind, and the others get everything`() async {
        let rig = QueueRig(
            ScriptedTransport(isSynchronous: true, keepsExchanges: false) { _ in .ok() },
            configure: { $0.maxConcurrentRequestCount = 0 })
        let (slow, quick) = (rig.queue.events(acrossRuns: true), rig.queue.events(acrossRuns: true))
        let finished = Gathering<RequestOperation.ID>()
        let reading = Task {
            for await case .didFinish(let operation) in quick { finished.add(operation.id) }
        }
        var operations: [RequestOperation] = []
        for _ in 1...5 {
            operations += rig.add(2_000)
            await rig.queue.run()
            #expect(await finished.wait(count: operations.count) == operations.map(\.id))
        }
        reading.cancel()
        var count = 0
        for await event in slow { if event.kind != .didUpdate { count += 1 } }
        #expect(count == 16_384)
    }

    @Test func `A task that is canceled while it waits for an event gets no more`() async {
        let rig = QueueRig()
        let events = rig.queue.events(acrossRuns: true)
        let task = Task {
            var count = 0
            for await _ in events { count += 1 }
            return count
        }
        task.cancel()
        #expect(await task.value == 0)
        rig.transport.setScript { _ in .ok() }
        rig.add(1)
        #expect(await rig.queue.run().counts.finished == 1)
    }
}
