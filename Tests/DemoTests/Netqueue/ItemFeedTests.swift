import Foundation
import NetworkQueueKit
import Testing

@testable import netqueue

@Suite(.timeLimit(.minutes(10)))
struct ItemFeedTests {
    private func item(_ number: Int) throws -> PlainItem {
        PlainItem(name: "\(number)", request: .get(try #require(URL(webAddress: "http://h/\(number)"))))
    }

    private func feed(_ count: Int, isComplete: Bool = true) throws -> ItemFeed<PlainItem> {
        let items = try (0..<100).map(item)
        return ItemFeed(Array(0..<count), isComplete: isComplete) { items[$0] }
    }

    private func names(_ feed: ItemFeed<PlainItem>) async -> [String] {
        var names: [String] = []
        while let item = await feed.next() { names.append(item.name) }
        return names
    }

    @Test func `Items are handed out in their order, or from the last one on`() async throws {
        #expect(await names(try feed(3)) == ["0", "1", "2"])
        let reversed = try feed(3)
        reversed.beginWithLast()
        #expect(await names(reversed) == ["2", "1", "0"])
    }

    @Test func `Items that become known later are waited for, and told before they are handed out`() async throws {
        let feed = try feed(1, isComplete: false)
        let counts = Locked<[Int]>([])
        feed.onGrowth { count in counts.withLock { $0.append(count) } }
        async let names = names(feed)
        feed.yield([5, 6])
        feed.yield([7])
        feed.finish()
        #expect(await names == ["0", "5", "6", "7"])
        #expect(counts.withLock { $0 } == [1, 2, 1])
        #expect(feed.isComplete && feed.count == 4)
    }

    @Test func `A feed that is stopped hands nothing out and knows what is left`() async throws {
        let feed = try feed(5)
        let first = try #require(await feed.next())
        let second = try #require(await feed.next())
        #expect(feed.end(first.name) == 0 && feed.end(first.name) == nil)
        feed.stop()
        #expect(await feed.next() == nil)
        // The second has been handed out, and nobody has told of its end.
        #expect(second.name == "1" && feed.rest == [1, 2, 3, 4])
    }
}
