import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RequestQueueOrderTests {
    @Test func `Two requests run at a time by default`() {
        let rig = QueueRig.requestQueue()
        #expect(rig.queue.maxConcurrentRequestCount == 2)
        rig.add(all: ["0", "1", "2"])
        #expect(rig.startedPaths == ["/0", "/1"])
        rig.queue.cancelAllRequests()
    }

    @Test(arguments: [0, -1]) func `A limit of 0 or less means no limit`(limit: Int) {
        let rig = QueueRig.requestQueue { $0.maxConcurrentRequestCount = limit }
        #expect(rig.queue.maxConcurrentRequestCount == 0)
        rig.add(all: (0..<100).map { "\($0)" })
        #expect(rig.transport.counts.started == 100)
        rig.queue.cancelAllRequests()
    }

    @Test(arguments: [false, true])
    func `A thousand requests with a limit of 1 complete in the order in which they were added`(isSynchronous: Bool)
        async
    {
        let rig = QueueRig.requestQueue(ScriptedTransport(isSynchronous: isSynchronous) { _ in .ok() }) {
            $0.maxConcurrentRequestCount = 1
        }
        let paths = (0..<1000).map { "/\($0)" }
        for number in 0..<1000 { rig.add("\(number)") }
        #expect(await rig.outcomes.wait(count: 1000).map(\.path) == paths)
        #expect(rig.startedPaths == paths && rig.transport.peakLiveCount == 1)
    }

    @Test func `A LIFO queue completes the running request first, then the others from the last to the first`() async {
        let rig = QueueRig.requestQueue {
            $0.maxConcurrentRequestCount = 1
            $0.mode = .lastInFirstOut
        }
        for number in 0..<1000 { rig.add("\(number)") }
        rig.transport.setScript { _ in .ok() }
        rig.transport.exchanges[0].answer(.ok())
        let expected = ["/0"] + (1..<1000).reversed().map { "/\($0)" }
        #expect(await rig.outcomes.wait(count: 1000).map(\.path) == expected)
    }

    @Test func `Switching the mode reorders the waiting requests, both ways, and leaves the running ones alone`() {
        let rig = QueueRig.requestQueue { $0.maxConcurrentRequestCount = 1 }
        rig.add(all: ["0", "1", "2", "3", "4", "5"])
        func next() { rig.open[0].answer(.ok()) }
        next()
        rig.queue.mode = .lastInFirstOut
        #expect(rig.open.map(\.path) == ["/1"])
        next()
        next()
        rig.queue.mode = .firstInFirstOut
        next()
        #expect(rig.startedPaths == ["/0", "/1", "/5", "/4", "/2"])
        rig.queue.cancelAllRequests()
    }

    @Test func `Raising the limit starts more requests at once, and lowering it lets the running ones end`() {
        let rig = QueueRig.requestQueue()
        rig.add(all: (0..<10).map { "\($0)" })
        rig.queue.maxConcurrentRequestCount = 4
        #expect(rig.startedPaths == ["/0", "/1", "/2", "/3"])
        rig.queue.maxConcurrentRequestCount = 1
        #expect(rig.open.count == 4 && rig.transport.counts.cancelled == 0)
        for left in [3, 2, 1] {
            rig.open[0].answer(.ok())
            #expect(rig.open.count == left && rig.transport.counts.started == 4)
        }
        // The last of them makes room for the next.
        rig.open[0].answer(.ok())
        #expect(rig.open.map(\.path) == ["/4"])
        rig.queue.maxConcurrentRequestCount = 0
        #expect(rig.open.count == 6)
        rig.queue.cancelAllRequests()
    }

    @Test func `A suspended queue starts no request, whatever is added or ends, until it is resumed`() async {
        let rig = QueueRig.requestQueue()
        rig.add(all: ["0", "1", "2", "3"])
        rig.queue.isSuspended = true
        rig.queue.isSuspended = true
        rig.open[0].answer(.ok())
        rig.open[0].answer(.ok())
        rig.add("4")
        rig.queue.maxConcurrentRequestCount = 3
        #expect(rig.transport.counts.started == 2 && rig.paths == ["/2", "/3", "/4"] && rig.queue.isSuspended)
        #expect(await rig.texts(2) == ["/0 ok", "/1 ok"])
        rig.queue.isSuspended = false
        #expect(rig.open.map(\.path) == ["/2", "/3", "/4"])
        rig.queue.cancelAllRequests()
    }
}
