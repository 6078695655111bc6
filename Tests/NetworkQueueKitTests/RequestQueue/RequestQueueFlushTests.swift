import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// When a `RequestQueue`, which has no runs, flushes its files.
@Suite(.timeLimit(.minutes(10)))
struct RequestQueueFlushTests {
    private struct Monitor: QueueMonitor {
        let log: Gathering<String>
        func didFailToFlush(_ error: NetworkError) { log.add("\(error.posixCode.map { "\($0)" } ?? "")") }
    }

    private let rig = QueueRig.requestQueue()
    private var queue: RequestQueue { rig.queue }

    private func add(_ name: String) -> RequestOperation {
        var request = NetworkRequest(URL.test(name))
        request.destination = .file(rig.folder.file(name))
        return queue.add(request)
    }

    private func finish(_ number: Int) async {
        let answer = ScriptedTransport.Answer.text("new", ["Content-Length": "3"])
        await rig.transport.exchange(number).answer(answer)
    }

    @Test func `waitUntilEmpty() waits for the flush that follows the last request`() async {
        let witness = FlushWitness(isHeld: true, in: queue)
        let operation = add("a")
        await finish(0)
        #expect(await witness.log.wait(count: 1) == ["file"])
        #expect(operation.error == nil && queue.requestCount == 0)
        let log = witness.log
        let wait = Task { [queue] in
            await queue.waitUntilEmpty()
            log.add("empty")
        }
        log.add("opened")
        witness.open()
        await wait.value
        #expect(log.values == ["file", "opened", "empty"])
    }

    @Test func `A queue that goes on flushes within five seconds`() async {
        let witness = FlushWitness(in: queue)
        queue.maxConcurrentRequestCount = 0
        let first = add("a")
        let second = add("b")
        await finish(0)
        #expect(await eventually { first.isFinished })
        queue.settle()
        rig.clock.advance(by: .milliseconds(4_999))
        #expect(witness.log.values == [])
        rig.clock.advance(by: .milliseconds(1))
        #expect(await witness.log.wait(count: 1) == ["file"])
        #expect(!second.isFinished)
        await finish(1)
        await queue.waitUntilEmpty()
        #expect(witness.log.values == ["file", "file"])
    }

    @Test func `A monitor hears of a flush that fails before the queue counts as empty`() async {
        let witness = FlushWitness(in: queue)
        witness.fail(with: EIO)
        queue.monitors = [Monitor(log: witness.log)]
        let operation = add("a")
        await finish(0)
        await queue.waitUntilEmpty()
        #expect(operation.error == nil)
        #expect(witness.log.values == ["file", "EIO"])
    }

    @Test func `A queue that is released after its last request flushes its files`() async {
        let log = Gathering<String>()
        do {
            let queue = RequestQueue(transport: rig.transport)
            let witness = FlushWitness(in: queue)
            queue.durability = .atEnd
            var request = NetworkRequest(URL.test("a"))
            request.destination = .file(rig.folder.file("a"))
            queue.add(request)
            await finish(0)
            Task { log.add(await witness.log.wait(count: 1)[0]) }
        }
        #expect(await log.wait(count: 1) == ["file"])
    }
}
