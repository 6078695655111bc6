import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct NetworkActivityTests {
    @Test func `The activity indicator goes on with the first request and off after the last`() async {
        let counter = RunningCounter()
        let activity = NetworkActivity(counter)
        #expect(!activity.isActive)
        var counts = activity.counts().makeAsyncIterator()
        #expect(await counts.next() == 0)
        for (change, count) in [(1, 1), (1, 2), (-1, 1), (-1, 0)] {
            counter.add(change)
            counter.report()
            #expect(await counts.next() == count)
            #expect(activity.count == count && activity.isActive == (count > 0))
        }
    }

    @Test func `A slow reader gets the latest count of requests, and none twice`() async {
        let counter = RunningCounter()
        let activity = NetworkActivity(counter)
        var counts = activity.counts().makeAsyncIterator()
        #expect(await counts.next() == 0)
        for _ in 0..<5 {
            counter.add(1)
            counter.report()
        }
        #expect(await counts.next() == 5)
        counter.report()
        counter.add(-5)
        counter.report()
        #expect(await counts.next() == 0)
    }

    @Test func `Each reader gets the counts of requests, and ends when its task is canceled`() async {
        let counter = RunningCounter()
        let activity = NetworkActivity(counter)
        let seen = Gathering<Int>()
        let tasks = (0..<3).map { _ in
            Task { for await count in activity.counts() { seen.add(count) } }
        }
        _ = await seen.wait(count: 3)
        counter.add(1)
        counter.report()
        #expect(await seen.wait(count: 6).sorted() == [0, 0, 0, 1, 1, 1])
        for task in tasks {
            task.cancel()
            await task.value
        }
    }

    @Test func `Changes from many threads at a time leave the reader with the right count`() async {
        let counter = RunningCounter()
        let activity = NetworkActivity(counter)
        let reader = Task {
            var latest: Int?
            for await count in activity.counts() {
                latest = count
                if count == 1_000_000 { break }
            }
            return latest
        }
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<2000 {
                        counter.add(1)
                        counter.report()
                        counter.add(-1)
                        counter.report()
                    }
                }
            }
        }
        #expect(activity.count == 0)
        counter.add(1_000_000)
        counter.report()
        #expect(await reader.value == 1_000_000)
    }

    /// A queue that runs three requests at a time, and counts those that have ended.
    private struct Activity {
        let rig = QueueRig(.requestQueue, limit: 3)
        let ends = Gathering<Void>()

        func add(_ count: Int, retryPolicy: RetryPolicy = .never) -> [RequestOperation] {
            (0..<count).map { number in
                var request = NetworkRequest(.test("\(number)"))
                request.retryPolicy = retryPolicy
                return rig.queue.add(BasicEndpoint(request)) { [ends] _ in ends.add(()) }
            }
        }
    }

    // In processes of their own, where no other test runs requests.

    @Test func `The shared activity counts running requests until they succeed, but no waiting ones`() async {
        await #expect(processExitsWith: .success) {
            let (activity, shared) = (Activity(), NetworkActivity.shared)
            #expect(shared.count == 0 && !shared.isActive)
            _ = activity.add(5)
            await activity.rig.transport.waitForExchanges(3)
            #expect(shared.count == 3 && shared.isActive)
            for number in 0..<5 { await activity.rig.transport.exchange(number).answer(.ok()) }
            _ = await activity.ends.wait(count: 5)
            #expect(shared.count == 0 && !shared.isActive)
        }
    }

    @Test func `The shared activity counts running requests until they fail or are canceled`() async {
        await #expect(processExitsWith: .success) {
            let (activity, shared) = (Activity(), NetworkActivity.shared)
            let operations = activity.add(3)
            await activity.rig.transport.waitForExchanges(3)
            #expect(shared.count == 3)
            activity.rig.transport.exchanges[0].end(.timedOut)
            _ = await activity.ends.wait(count: 1)
            #expect(shared.count == 2)
            activity.rig.queue.cancelAll(of: BasicEndpoint.self)
            _ = await activity.ends.wait(count: 3)
            #expect(shared.count == 0 && operations.map(\.status) == [.failed, .cancelled, .cancelled])
        }
    }

    @Test func `The shared activity counts requests that wait for a retry until they are canceled`() async {
        await #expect(processExitsWith: .success) {
            let (activity, shared) = (Activity(), NetworkActivity.shared)
            let operations = activity.add(2, retryPolicy: RetryPolicy(maxRetries: 1))
            for number in 0..<2 { await activity.rig.transport.exchange(number).end(.timedOut) }
            #expect(shared.count == 2 && operations.allSatisfy { $0.status == .retrying })
            for operation in operations { operation.cancel() }
            _ = await activity.ends.wait(count: 2)
            #expect(shared.count == 0 && operations.allSatisfy { $0.status == .cancelled })
        }
    }
}
