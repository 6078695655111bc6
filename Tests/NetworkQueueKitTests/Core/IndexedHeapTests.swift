import Foundation
import LoopbackHTTP
import Synchronization
import Testing

@testable import NetworkQueueKit

@Suite(.serialized)
struct IndexedHeapTests {
    /// A rank that counts its comparisons.
    private struct CountedRank: Comparable {
        static let comparisons = Atomic(0)
        let value: Int

        static func < (left: CountedRank, right: CountedRank) -> Bool {
            comparisons.add(1, ordering: .relaxed)
            return left.value < right.value
        }
    }

    @Test(arguments: [1, 10, 1_000, 20_000])
    func `A change in a heap of n ranks costs at most two comparisons a level and keeps the smallest first`(
        count: Int
    ) {
        let seed = UInt64.random(in: 0..<(1 << 32))
        print("IndexedHeap: seed \(seed)")
        var random = SplitMix64(seed: seed)
        var heap = IndexedHeap<CountedRank>()
        var positions = IndexedHeap<CountedRank>.Positions()
        var ranks: [UInt32: Int] = [:]
        let levels = Int(log2(Double(count))) + 1
        var highestCost = 0
        for step in 0..<(3 * count) {
            let id = step < count ? UInt32(step) : UInt32.random(in: 0..<UInt32(count), using: &random)
            let before = CountedRank.comparisons.load(ordering: .relaxed)
            if Int.random(in: 0..<8, using: &random) == 0 {
                heap.remove(id, &positions)
                ranks[id] = nil
            } else {
                let rank = Int.random(in: 0..<count, using: &random)
                heap.set(id, rank: CountedRank(value: rank), &positions)
                ranks[id] = rank
            }
            let cost = CountedRank.comparisons.load(ordering: .relaxed) - before
            highestCost = max(highestCost, cost)
            guard step.isMultiple(of: 1 + count / 100) else { continue }
            #expect(heap.count == ranks.count && heap.first.flatMap { ranks[$0] } == ranks.values.min())
        }
        #expect(highestCost > 0 || count == 1)
        #expect(highestCost <= 2 * levels + 1, "seed \(seed)")
    }
}
