import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite("Network activity", .timeLimit(.minutes(10)))
struct NetworkActivityTests {
    @Test func `the indicator goes on with the first request and off after the last`() async {
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

    @Test func `a slow reader gets the latest count, and none twice`() async {
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

    @Test func `each reader gets the counts, and ends when its task is cancelled`() async {
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

    @Test func `changes from many threads at a time leave the reader with the right count`() async {
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

    // Other tests run requests at the same time, so of the process's own count no more can be said than this.
    @Test func `running requests are counted by the shared activity, waiting ones are not`() async {
        let rig = EndpointRig(.requestQueue, limit: 3)
        let ends = Gathering<Void>()
        for number in 0..<5 { rig.queue.add(BasicEndpoint(.test("\(number)"))) { _ in ends.add(()) } }
        await rig.transport.waitForExchanges(3)
        #expect(NetworkActivity.shared.count >= 3 && NetworkActivity.shared.isActive)
        rig.queue.cancelAll(of: BasicEndpoint.self)
        _ = await ends.wait(count: 5)
        #expect(NetworkActivity.shared.count >= 0)
    }
}
