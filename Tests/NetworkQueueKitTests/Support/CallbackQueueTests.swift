import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct CallbackQueueTests {
    private static let key = DispatchSpecificKey<Bool>()

    private func makeTarget(_ attributes: DispatchQueue.Attributes = []) -> DispatchQueue {
        let target = DispatchQueue(label: "target", attributes: attributes)
        target.setSpecific(key: Self.key, value: true)
        return target
    }

    @Test(arguments: [false, true])
    func `Calls are made one at a time and in order, in the hierarchy of the target`(isConcurrent: Bool) async {
        let callbacks = CallbackQueue(target: makeTarget(isConcurrent ? .concurrent : []))
        let order = Gathering<Int>()
        let activeCount = Atomic(0)
        let strayCount = Atomic(0)
        let overlapCount = Atomic(0)
        for number in 0..<3_000 {
            callbacks.post {
                if activeCount.add(1, ordering: .relaxed).newValue > 1 { overlapCount.add(1, ordering: .relaxed) }
                if DispatchQueue.getSpecific(key: Self.key) != true { strayCount.add(1, ordering: .relaxed) }
                order.add(number)
                activeCount.subtract(1, ordering: .relaxed)
            }
        }
        #expect(await order.wait(count: 3_000) == Array(0..<3_000))
        #expect(overlapCount.load(ordering: .relaxed) == 0 && strayCount.load(ordering: .relaxed) == 0)
    }

    @Test func `Calls from many threads are all made, each thread's in order`() async {
        let callbacks = CallbackQueue(target: makeTarget(.concurrent))
        let order = Gathering<Int>()
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<1_000 { callbacks.post { order.add(thread * 1_000 + number) } }
        }
        let made = await order.wait(count: 4_000)
        for thread in 0..<4 {
            #expect(made.filter { $0 / 1_000 == thread } == Array(thread * 1_000..<(thread + 1) * 1_000))
        }
    }

    @Test func `A call that posts a call does not make it itself`() async {
        let callbacks = CallbackQueue(target: makeTarget())
        let order = Gathering<String>()
        callbacks.post {
            callbacks.post { order.add("inner") }
            order.add("outer")
        }
        #expect(await order.wait(count: 2) == ["outer", "inner"])
    }

    @Test func `A call that comes just after a block is made a millisecond after that`() async {
        let callbacks = CallbackQueue(target: makeTarget())
        let times = Gathering<DispatchTime>()
        let start = DispatchTime.now()
        callbacks.post {}
        while callbacks.hasCalls { sched_yield() }
        callbacks.post { times.add(.now()) }
        let made = await times.wait(count: 1)
        #expect(made[0] >= start + CallbackQueue.blockInterval)
    }

    @Test func `Other blocks of a serial target get a turn after 512 calls in a row`() async {
        let target = makeTarget()
        let callbacks = CallbackQueue(target: target)
        let order = Gathering<Int>()
        target.suspend()
        for number in 0..<2_000 { callbacks.post { order.add(number) } }
        target.async { order.add(-1) }
        target.resume()
        let turn = await order.wait(count: 2_001).firstIndex(of: -1)
        #expect(turn == 512)
    }

    // MARK: Discarding

    @Test func `Discarded calls are not made, and their stand-ins are called in their order`() async {
        let target = makeTarget()
        let callbacks = CallbackQueue(target: target)
        let order = Gathering<String>()
        target.suspend()
        for number in 0..<3 {
            callbacks.post {
                order.add("made \(number)")
            } discarded: {
                order.add("discarded \(number)")
            }
        }
        callbacks.post { order.add("made") }
        callbacks.discardAll()
        #expect(order.values == ["discarded 0", "discarded 1", "discarded 2"])
        callbacks.post { order.add("later") }
        target.resume()
        #expect(await order.wait(count: 4).last == "later")
    }

    @Test func `The call that is running is not discarded, those behind it are`() async {
        let callbacks = CallbackQueue(target: makeTarget())
        let order = Gathering<String>()
        let (hasBegun, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        @Sendable func post(_ name: String, _ body: @escaping @Sendable () -> Void = {}) {
            callbacks.post {
                body()
                order.add("made \(name)")
            } discarded: {
                order.add("discarded \(name)")
            }
        }
        await onThread {
            callbacks.target.suspend()
            post("running") {
                hasBegun.signal()
                mayGoOn.wait()
            }
            // It is taken out with the running one, the last one is not.
            post("taken")
            callbacks.target.resume()
            hasBegun.wait()
            post("waiting")
            callbacks.discardAll()
            #expect(order.values == ["discarded taken", "discarded waiting"])
            mayGoOn.signal()
        }
        callbacks.post { order.add("later") }
        #expect(await order.wait(count: 4).suffix(2) == ["made running", "later"])
    }

    @Test func `A call may discard those behind it`() async {
        let callbacks = CallbackQueue(target: makeTarget())
        let order = Gathering<String>()
        callbacks.target.suspend()
        callbacks.post {
            callbacks.discardAll()
            callbacks.post { order.add("later") }
        }
        callbacks.post {
            order.add("made")
        } discarded: {
            order.add("discarded")
        }
        callbacks.target.resume()
        #expect(await order.wait(count: 2) == ["discarded", "later"])
    }

    // MARK: The running call

    @Test func `A wait for the running call ends after the call has returned`() async {
        let callbacks = CallbackQueue(target: makeTarget())
        let earlyCount = await onThread {
            // A wait that ended at once would find the call running nearly every time.
            (0..<200).count { _ in
                let (hasBegun, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                let hasReturned = Guarded(false)
                callbacks.post {
                    hasBegun.signal()
                    mayGoOn.wait()
                    hasReturned.withLock { $0 = true }
                }
                hasBegun.wait()
                mayGoOn.signal()
                callbacks.waitForRunningCall()
                return !hasReturned.withLock { $0 }
            }
        }
        #expect(earlyCount == 0)
    }

    @Test func `A wait for the running call ends at once inside that call, and when none is running`() async {
        let callbacks = CallbackQueue(target: makeTarget())
        callbacks.waitForRunningCall()
        let order = Gathering<Bool>()
        callbacks.post {
            callbacks.waitForRunningCall()
            order.add(callbacks.isInCallback)
        }
        #expect(await order.wait(count: 1) == [true])
        #expect(!callbacks.isInCallback)
    }
}
