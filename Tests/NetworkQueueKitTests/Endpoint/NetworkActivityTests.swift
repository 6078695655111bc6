import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct NetworkActivityTests {
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

    /// In a process of its own, where no other test runs requests.
    @Test func `The shared activity counts running requests and those that wait for a retry, until they end`() async {
        await #expect(processExitsWith: .success) {
            let rig = QueueRig(.requestQueue, limit: 3)
            let shared = NetworkActivity.shared
            let ends = Gathering<Void>()
            func add(_ count: Int, retryPolicy: RetryPolicy = .never) -> [RequestOperation] {
                (0..<count).map { number in
                    var request = NetworkRequest(.test("\(number)"))
                    request.retryPolicy = retryPolicy
                    return rig.queue.add(BasicEndpoint(request)) { [ends] _ in ends.add(()) }
                }
            }
            #expect(shared.count == 0 && !shared.isActive)
            // Success; the others wait.
            _ = add(5)
            await rig.transport.waitForExchanges(3)
            #expect(shared.count == 3 && shared.isActive)
            for number in 0..<5 { await rig.transport.exchange(number).answer(.ok()) }
            _ = await ends.wait(count: 5)
            #expect(shared.count == 0 && !shared.isActive)
            // Failure and cancellation.
            let operations = add(3)
            await rig.transport.exchange(5).end(.timedOut)
            _ = await ends.wait(count: 6)
            #expect(shared.count == 2)
            rig.queue.cancelAll(of: BasicEndpoint.self)
            _ = await ends.wait(count: 8)
            #expect(shared.count == 0 && operations.map(\.status) == [.failed, .cancelled, .cancelled])
            // The wait for a retry.
            let retrying = add(2, retryPolicy: RetryPolicy(maxRetries: 1))
            for number in 8..<10 { await rig.transport.exchange(number).end(.timedOut) }
            #expect(shared.count == 2 && retrying.allSatisfy { $0.status == .retrying })
            for operation in retrying { operation.cancel() }
            _ = await ends.wait(count: 10)
            #expect(shared.count == 0 && retrying.allSatisfy { $0.status == .cancelled })
        }
    }
}
