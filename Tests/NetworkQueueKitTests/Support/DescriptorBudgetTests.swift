import Dispatch
import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite("The budget for descriptors", .timeLimit(.minutes(10)))
struct DescriptorBudgetTests {
    private final class User: DescriptorUser {
        let calls = Gathering<Bool>()

        func descriptorsAreFree() { calls.add(true) }
    }

    private func budget(limit: Int, open: Int = 0) -> DescriptorBudget {
        DescriptorBudget { .init(limit: limit, openCount: open) }
    }

    private func queue(_ transport: any Transport, _ budget: DescriptorBudget, limit: Int = 0) -> RequestQueue {
        var configuration = RequestQueue.Configuration()
        configuration.maxConcurrentRequestCount = limit
        configuration.allowsDuplicateRequests = true
        return RequestQueue(
            configuration: configuration, transport: transport, timekeeper: SystemTimekeeper(), descriptors: budget)
    }

    @Test(arguments: [(64, 8, 20), (1024, 24, 436), (256, 256, 1), (10, 0, 1)])
    func `leaves a reserve, and lets one run whatever there is`(limit: Int, others: Int, capacity: Int) {
        #expect(DescriptorBudget.capacity(limit: limit, others: others) == capacity)
        #expect(DescriptorBudget.capacity(limit: .max, others: others) > 1 << 40)
    }

    @Test func `looks at what this process has`() {
        let usage = DescriptorBudget.Usage.current()
        #expect(usage.limit > 16 && usage.openCount > 2 && usage.openCount < usage.limit)
    }

    @Test func `tells those that wait, once, when there is room`() async {
        let budget = budget(limit: 20)
        budget.note(2)
        #expect(budget.capacity == 2 && !budget.hasRoom() && budget.hasRoom(after: -1))
        let user = User()
        budget.wait(user)
        budget.wait(user)
        budget.note(-1)
        _ = await user.calls.wait(count: 1)
        budget.note(-1)
        // One that comes too late for the change is told at once.
        budget.wait(user)
        #expect(await user.calls.wait(count: 2).count == 2)
    }

    @Test func `holds back what is beyond it, and all run in the end`() async {
        let transport = ScriptedTransport { _ in .hold }
        let budget = budget(limit: 22)
        let queue = queue(transport, budget)
        let operations = (0..<50).map { queue.add(.test("\($0)")) }
        await transport.waitForExchanges(3)
        #expect(transport.liveCount == 3 && queue.requestCount == 50)
        for number in 0..<50 { await transport.exchange(number).answer(.ok()) }
        await queue.waitUntilEmpty()
        #expect(operations.allSatisfy { $0.error == nil } && transport.peakLiveCount == 3 && budget.hasRoom(after: 2))
    }

    @Test func `is shared by queues, of which each may run one`() async {
        let transport = ScriptedTransport { _ in .hold }
        let budget = budget(limit: 20)
        let first = queue(transport, budget)
        let second = queue(transport, budget)
        for number in 0..<4 { first.add(.test("\(number)")) }
        await transport.waitForExchanges(2)
        for number in 4..<8 { second.add(.test("\(number)")) }
        await transport.waitForExchanges(3)
        #expect(transport.liveCount == 3)
        for number in 0..<8 { await transport.exchange(number).answer(.ok()) }
        await first.waitUntilEmpty()
        await second.waitUntilEmpty()
        #expect(transport.peakLiveCount == 3)
    }

    @Test func `is shared evenly by queues that want more than there is`() async {
        let budget = budget(limit: 32)
        let (firstTransport, secondTransport) = (ScriptedTransport { _ in .hold }, ScriptedTransport { _ in .hold })
        let first = queue(firstTransport, budget)
        let second = queue(secondTransport, budget)
        for number in 0..<20 { first.add(.test("\(number)")) }
        await firstTransport.waitForExchanges(8)
        for number in 0..<20 { second.add(.test("\(number)")) }
        await secondTransport.waitForExchanges(1)
        // The first makes room for the ninth, which runs beyond the budget.
        for number in 0..<5 { await firstTransport.exchange(number).answer(.ok()) }
        #expect(await eventually { firstTransport.liveCount + secondTransport.liveCount == 8 })
        #expect(firstTransport.liveCount == 4 && secondTransport.liveCount == 4)
        for number in 5..<20 { await firstTransport.exchange(number).answer(.ok()) }
        for number in 0..<20 { await secondTransport.exchange(number).answer(.ok()) }
        await first.waitUntilEmpty()
        await second.waitUntilEmpty()
        #expect(budget.hasRoom(after: 7))
    }

    @Test func `counts operations that are in no queue`() async {
        let transport = ScriptedTransport { _ in .hold }
        let budget = budget(limit: 22)
        let operation = RequestOperation(NetworkRequest(.test("alone")))
        operation.setStandalone(transport: transport, timekeeper: SystemTimekeeper(), descriptors: budget)
        operation.start()
        await transport.waitForExchanges(1)
        #expect(budget.hasRoom(after: 1) && !budget.hasRoom(after: 2))
        await transport.exchange(0).answer(.ok())
        _ = try? await operation.response()
        #expect(await eventually { budget.hasRoom(after: 2) })
    }

    @Test func `knows whether any request runs that does not wait for a descriptor`() {
        let budget = budget(limit: 100)
        budget.note(2)
        let wait = DescriptorWait(budget: budget, limit: .zero)
        #expect(budget.runsOthers && !budget.isStarved && wait.isWorthwhile)
        let other = DescriptorWait(budget: budget, limit: .zero)
        #expect(!budget.runsOthers && budget.isStarved)
        #expect(!other.isWorthwhile)
        other.end()
        #expect(budget.runsOthers)
        other.begin()
        #expect(budget.isStarved && DescriptorWait(budget: budget, limit: .seconds(60)).isWorthwhile)
    }

    @Test func `does not take what others have for what running requests are yet to open`() {
        let openCount = Guarded(14)
        let budget = DescriptorBudget {
            .init(limit: 64, openCount: openCount.withLock { $0 }, foreignCount: 10)
        }
        #expect(budget.capacity == 17)
        budget.note(16)
        // One connection each, and no file yet.
        openCount.withLock { $0 = 30 }
        budget.wait(User())
        #expect(budget.capacity == 17)
    }

    @Test func `lets those that have waited too long give up one after the other`() {
        // What the first gives back may be enough for the second.
        let budget = budget(limit: 100)
        #expect(budget.maySurrender(at: .seconds(10)) && !budget.maySurrender(at: .milliseconds(10_050)))
        #expect(budget.maySurrender(at: .milliseconds(10_200)))
    }

    @Test func `counts neither what waits for a retry nor what a queue leaves behind`() async {
        let transport = ScriptedTransport { _ in .hold }
        let budget = budget(limit: 20)
        do {
            let queue = queue(transport, budget)
            queue.retryPolicy = .standard
            for number in 0..<3 { queue.add(.test("\(number)")) }
            await transport.exchange(0).answer(.fail(.timedOut))
            await transport.waitForExchanges(3)
            queue.cancelAll()
            await queue.waitUntilEmpty()
        }
        await transport.wait { $0.isQuiet }
        #expect(await eventually { budget.hasRoom(after: 1) })
    }
}
