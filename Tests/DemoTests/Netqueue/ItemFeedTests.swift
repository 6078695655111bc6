import NetworkQueueKit
import TestSupport
import Testing

@testable import netqueue

@Suite(.timeLimit(.minutes(10)))
struct ItemFeedTests {
    private func feed(_ count: Int, isComplete: Bool) -> ItemFeed {
        ItemFeed(Array(0..<count), isComplete: isComplete) { .test("\($0)", { $0.tag = $0.url.path() }) }
    }

    @Test func `A task that waits for an item ends when it is canceled`() async {
        let feed = feed(1, isComplete: false)
        let names = Gathering<String>()
        let task = Task { while let item = await feed.next() { names.add(item.itemName) } }
        #expect(await names.wait(count: 1) == ["/0"])
        task.cancel()
        await task.value
        #expect(names.values == ["/0"])
    }

    @Test func `A waiting consumer gets what is added, and the end`() async {
        let feed = feed(0, isComplete: false)
        async let names = {
            var names: [String] = []
            while let item = await feed.next() { names.append(item.itemName) }
            return names
        }()
        feed.yield([3, 5])
        feed.finish()
        #expect(await names == ["/3", "/5"])
    }
}
