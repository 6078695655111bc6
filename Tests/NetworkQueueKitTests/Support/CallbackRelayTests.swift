import Dispatch
import LoopbackServer
import TestSupport
import Testing

@testable import NetworkQueueKit

/// Events from any thread, one after the other on a queue.
@Suite("A callback relay", .timeLimit(.minutes(10)))
struct CallbackRelayTests {
    private final class Target: CallbackTarget {
        let numbers = Gathering<Int>()
        let body: @Sendable (Int) -> Void

        init(_ body: @escaping @Sendable (Int) -> Void = { _ in }) { self.body = body }

        func deliver(_ number: Int) {
            body(number)
            numbers.add(number)
        }
    }

    private let queue = DispatchQueue(label: "CallbackRelayTests")

    @Test(arguments: [true, false])
    func `delivers everything in order, more than fits into one block, too`(isUrgent: Bool) async {
        let relay = CallbackRelay<Target>(queue: queue)
        let target = Target()
        for number in 0..<2_000 { relay.post(number, to: target, isUrgent: isUrgent) }
        #expect(await target.numbers.wait(count: 2_000) == Array(0..<2_000))
    }

    @Test func `brings what gathers along with what is urgent`() async {
        let relay = CallbackRelay<Target>(queue: queue)
        let target = Target()
        queue.suspend()
        relay.post(1, to: target, isUrgent: false)
        relay.post(2, to: target)
        relay.post(3, to: target, isUrgent: false)
        #expect(target.numbers.values.isEmpty)
        queue.resume()
        #expect(await target.numbers.wait(count: 3) == [1, 2, 3])
    }

    @Test func `keeps its target alive until all is delivered, and not longer`() async {
        let relay = CallbackRelay<Target>(queue: queue)
        var target: Target? = Target()
        let numbers = target?.numbers
        let isAlive = { [weak target] in target != nil }
        queue.suspend()
        if let target { relay.post(1, to: target) }
        target = nil
        #expect(isAlive())
        queue.resume()
        _ = await numbers?.wait(count: 1)
        #expect(await eventually { !isAlive() })
    }

    @Test func `drops what is older than a new generation, and takes what belongs to it`() async {
        let relay = CallbackRelay<Target>(queue: queue)
        let target = Target()
        queue.suspend()
        relay.post(1, to: target)
        relay.post(2, to: target)
        let discarded = relay.discardAll(startingGeneration: 1)
        #expect(discarded.notices == [1, 2])
        discarded.settle()
        relay.post(3, to: target, generation: 0)
        relay.post(4, to: target, generation: 1)
        queue.resume()
        #expect(await target.numbers.wait(count: 1) == [4])
    }

    @Test func `waits for the callback that is running on another thread when it drops the rest`() async {
        let relay = CallbackRelay<Target>(queue: queue)
        let entered = Gathering<Void>()
        let gate = DispatchSemaphore(value: 0)
        let target = Target { _ in
            entered.add(())
            gate.wait()
        }
        relay.post(1, to: target)
        relay.post(2, to: target)
        _ = await entered.wait(count: 1)
        let discarded = relay.discardAll(startingGeneration: 1)
        #expect(discarded.notices == [2])
        let settled = Gathering<Void>()
        DispatchQueue.global().async {
            discarded.settle()
            settled.add(())
        }
        #expect(settled.values.isEmpty && target.numbers.values.isEmpty)
        gate.signal()
        _ = await settled.wait(count: 1)
        #expect(await target.numbers.wait(count: 1) == [1])
    }

    @Test func `a callback may deliver the next ones itself`() async {
        let relay = CallbackRelay<Target>(queue: queue)
        let order = Gathering<String>()
        let inner = Target { order.add("inner \($0)") }
        let outer = Target { [queue] number in
            dispatchPrecondition(condition: .onQueue(queue))
            #expect(relay.isInCallback)
            order.add("outer \(number)")
            while relay.deliverNext(to: inner) {}
            order.add("outer \(number) ends")
        }
        queue.suspend()
        for number in 1...3 { relay.post(number, to: outer) }
        queue.resume()
        let all = await order.wait(count: 4)
        #expect(all == ["outer 1", "inner 2", "inner 3", "outer 1 ends"])
        #expect(!relay.isInCallback)
        // The block that is still running would deliver to its own target.
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        // What comes later is delivered as ever.
        relay.post(4, to: inner)
        #expect(await order.wait(count: 5).last == "inner 4")
    }

    @Test func `wakes a thread that waits for the next event`() async {
        let relay = CallbackRelay<Target>(queue: queue)
        let target = Target()
        let semaphore = DispatchSemaphore(value: 0)
        #expect(relay.addEventWaiter(semaphore))
        queue.suspend()
        relay.post(1, to: target)
        #expect(!relay.addEventWaiter(DispatchSemaphore(value: 0)))
        await onThread { semaphore.wait() }
        queue.resume()
        #expect(await target.numbers.wait(count: 1) == [1])
    }

    // MARK: On a concurrent queue

    private let concurrent = DispatchQueue(label: "CallbackRelayTests.concurrent", attributes: .concurrent)

    @Test func `of a concurrent queue delivers one at a time, when what gathers and what is urgent have a block each`()
        async
    {
        let relay = CallbackRelay<Target>(queue: concurrent)
        let second = DispatchSemaphore(value: 0)
        let overlaps = Gathering<Bool>()
        let target = Target { number in
            guard number == 1 else {
                second.signal()
                return
            }
            // Far longer than events gather: the block that was scheduled for them comes meanwhile.
            overlaps.add(second.wait(timeout: .now() + .milliseconds(100)) == .success)
        }
        relay.post(1, to: target, isUrgent: false)
        relay.post(2, to: target)
        #expect(await target.numbers.wait(count: 2) == [1, 2])
        #expect(overlaps.values == [false])
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `of a concurrent queue delivers in order, however events come in`(seed: UInt64) async {
        var random = SplitMix64(seed: seed)
        let relay = CallbackRelay<Target>(queue: concurrent)
        let target = Target()
        for number in 0..<3_000 {
            relay.post(number, to: target, isUrgent: Bool.random(using: &random))
            if number.isMultiple(of: 100) { await Task.yield() }
        }
        #expect(await target.numbers.wait(count: 3_000) == Array(0..<3_000), "seed \(seed)")
    }

    @Test func `leaves the next event to the thread that is in a callback, and nothing is forgotten`() async {
        let relay = CallbackRelay<Target>(queue: concurrent)
        let entered = Gathering<Void>()
        let gate = DispatchSemaphore(value: 0)
        let target = Target { number in
            guard number == 1 else { return }
            entered.add(())
            gate.wait()
        }
        relay.post(1, to: target)
        _ = await entered.wait(count: 1)
        relay.post(2, to: target)
        #expect(!relay.deliverNext(to: target))
        let returned = DispatchSemaphore(value: 0)
        #expect(relay.addEventWaiter(returned))
        gate.signal()
        await onThread { returned.wait() }
        #expect(await target.numbers.wait(count: 2) == [1, 2])
    }

    @Test func `a thread that delivers by itself hands on what it leaves behind`() async {
        let relay = CallbackRelay<Target>(queue: concurrent)
        let entered = Gathering<Void>()
        let gate = DispatchSemaphore(value: 0)
        let target = Target { number in
            guard number == 1 else { return }
            entered.add(())
            gate.wait()
        }
        concurrent.suspend()
        relay.post(1, to: target)
        async let isDelivered = onThread { relay.deliverNext(to: target) }
        _ = await entered.wait(count: 1)
        relay.post(2, to: target)
        // The block finds that another thread is in a callback, and must not be waited for.
        concurrent.resume()
        await withCheckedContinuation { continuation in
            concurrent.async(flags: .barrier) { continuation.resume() }
        }
        #expect(target.numbers.values.isEmpty)
        gate.signal()
        #expect(await isDelivered)
        #expect(await target.numbers.wait(count: 2) == [1, 2])
        relay.post(3, to: target)
        #expect(await target.numbers.wait(count: 3) == [1, 2, 3])
    }
}
